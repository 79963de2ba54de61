package dev.mooring.depwebhook.eligibility;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.consent;
import static dev.mooring.depwebhook.Fixtures.enforced;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class EligibilityCheckerTest {
  private static final LogicalCluster NETWORK = new LogicalCluster("network1");
  private static final String CONSENT = "apibindings/" + DependencyRule.GROUP;

  private static final Duration A_SECOND = Duration.ofSeconds(1);

  private static final KubeObject GOING =
      KubeObject.of(Map.of("metadata", Map.of("deletionTimestamp", "2026-01-01T00:00:00Z")));

  private final HeldKcp kcp = new HeldKcp();
  private final ManualTime time = new ManualTime();
  private final EligibilityChecker checker = checker(Duration.ZERO);

  @Test
  void readsEverythingSideBySide() {
    knowTheBindings();

    checker
        .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
        .prefetch(protection(vmNeedsVpc()));

    await()
        .untilAsserted(() ->
            assertThat(kcp.underWay)
                .containsExactlyInAnyOrder(
                    "apiexports/compute.example.com",
                    "apiexports/network.example.com",
                    "apibindings/compute.example.com",
                    "apibindings/network.example.com",
                    CONSENT,
                    "logicalclusters/cluster"));
    kcp.release();
  }

  @Test
  void readsEachOfThemOnceForOneJudgement() {
    knowTheBindings();
    kcp.release();
    kcp.requests.clear();
    RuleEligibility eligibility =
        checker.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());
    MatchedRule protection = protection(vmNeedsVpc());

    eligibility.prefetch(protection);
    assertThat(eligibility.isEligible(protection)).isTrue();
    assertThat(eligibility.workspace()).isEqualTo(WorkspaceState.ACTIVE);
    assertThat(eligibility.isEligible(protection)).isTrue();

    assertThat(kcp.requests).hasSize(6);
    assertThat(kcp.requests.values()).containsOnly(1);
  }

  @Test
  void asksForTheWorkspaceOnlyWhereARuleMayRefuse() {
    kcp.release();
    RuleEligibility eligibility =
        checker.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());

    eligibility.isEligible(protection(vmNeedsVpc().with(enforced(Mode.WARN, Consistency.STRICT))));

    assertThat(kcp.requests).doesNotContainKey("logicalclusters/cluster");
  }

  @Test
  void readsEverythingForEachEvaluationIfConfigured() {
    kcp.release();
    assertThat(
            checker
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection(vmNeedsVpc())))
        .isTrue();

    kcp.objects.remove("apiexports/compute.example.com");
    kcp.objects.put("logicalclusters/cluster", GOING);

    RuleEligibility next = checker.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());
    assertThat(next.isEligible(protection(vmNeedsVpc()))).isFalse();
    assertThat(next.workspace()).isEqualTo(WorkspaceState.TERMINATING);
  }

  @Test
  void takesNothingAwayWhereNothingCanBeRead() {
    kcp.release();
    kcp.broken = true;
    RuleEligibility eligibility =
        checker.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());

    assertThat(eligibility.isEligible(protection(vmNeedsVpc()))).isTrue();
    assertThat(eligibility.workspace()).isEqualTo(WorkspaceState.UNKNOWN);
  }

  @Test
  void asksForNoConsentToTheProvidersOwnRulesOrOfAnUnknownProvider() {
    kcp.release();
    kcp.objects.remove(CONSENT);
    MatchedRule protection = protection(vmNeedsVpc());

    assertThat(
            checker
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isFalse();
    LogicalCluster author = protection.rule().key().cluster();
    assertThat(
            checker
                .eligibilityFor(VPC, Optional.of(author), Deadline.none())
                .isEligible(protection))
        .isTrue();
    assertThat(
            checker.eligibilityFor(VPC, Optional.empty(), Deadline.none()).isEligible(protection))
        .isTrue();
  }

  @Test
  void takesARejectedClaimForNoConsent() {
    kcp.release();
    assertThat(
            checker
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection(vmNeedsVpc())))
        .isTrue();

    kcp.objects.put(CONSENT, consent("Rejected"));

    assertThat(
            checker
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection(vmNeedsVpc())))
        .isFalse();
  }

  @Test
  void countsOnForAMomentWithoutReadingAnything() {
    EligibilityChecker lately = checker(A_SECOND);
    MatchedRule protection = protection(indexed());
    kcp.release();
    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isTrue();
    kcp.requests.clear();
    kcp.objects.remove(CONSENT);

    time.advance(A_SECOND.minusMillis(1));
    RuleEligibility next = lately.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());
    assertThat(next.isEligible(protection)).isTrue();
    assertThat(next.workspace()).isEqualTo(WorkspaceState.ACTIVE);
    assertThat(kcp.requests).isEmpty();

    time.advance(Duration.ofMillis(1));
    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isFalse();
  }

  @Test
  void isAsOldAsTheFirstReadNotAsItsAnswer() {
    EligibilityChecker lately = checker(A_SECOND);
    MatchedRule protection = protection(indexed());
    RuleEligibility slow = lately.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());
    slow.prefetch(protection);
    time.advance(A_SECOND);
    kcp.release();
    assertThat(slow.isEligible(protection)).isTrue();

    kcp.objects.remove(CONSENT);

    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isFalse();
  }

  @Test
  void remembersNothingOfAWorkspaceThatIsGoing() {
    EligibilityChecker lately = checker(A_SECOND);
    MatchedRule protection = protection(indexed());
    kcp.release();
    KubeObject stood = kcp.objects.put("logicalclusters/cluster", GOING);
    RuleEligibility first = lately.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());
    assertThat(first.isEligible(protection)).isTrue();
    assertThat(first.workspace()).isEqualTo(WorkspaceState.TERMINATING);

    kcp.objects.remove(CONSENT);
    kcp.objects.put("logicalclusters/cluster", stood);

    RuleEligibility next = lately.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());
    assertThat(next.isEligible(protection)).isFalse();
    assertThat(next.workspace()).isEqualTo(WorkspaceState.ACTIVE);
  }

  @Test
  void looksAtTheWorkspaceForARuleThatIsNotRemembered() {
    EligibilityChecker lately = checker(A_SECOND);
    kcp.release();
    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection(indexed())))
        .isTrue();
    kcp.objects.put("logicalclusters/cluster", GOING);

    RuleEligibility next = lately.eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none());
    assertThat(next.isEligible(protection(indexed()))).isTrue();
    assertThat(next.isEligible(protection(vmNeedsVpc()))).isTrue();
    assertThat(next.workspace()).isEqualTo(WorkspaceState.TERMINATING);
  }

  @Test
  void neverRemembersThatARuleDoesNotCount() {
    EligibilityChecker lately = checker(A_SECOND);
    MatchedRule protection = protection(indexed());
    kcp.release();
    KubeObject consent = kcp.objects.remove(CONSENT);
    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isFalse();

    kcp.objects.put(CONSENT, consent);

    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isTrue();
  }

  @Test
  void remembersOfEachProviderAndConsumerApart() {
    EligibilityChecker lately = checker(A_SECOND);
    MatchedRule protection = protection(indexed());
    kcp.release();
    LogicalCluster author = protection.rule().key().cluster();
    assertThat(
            lately.eligibilityFor(VPC, Optional.of(author), Deadline.none()).isEligible(protection))
        .isTrue();

    kcp.objects.keySet().removeIf(what -> !what.equals("logicalclusters/cluster"));

    assertThat(
            lately.eligibilityFor(VPC, Optional.of(author), Deadline.none()).isEligible(protection))
        .isTrue();
    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isFalse();
    assertThat(
            lately
                .eligibilityIn(
                    new LogicalCluster("other1"), GroupResource.of(VPCS), Deadline.none())
                .isEligible(protection))
        .isFalse();
  }

  @Test
  void readsEachTimeForWhatIsStrict() {
    EligibilityChecker lately = checker(A_SECOND);
    MatchedRule protection = protection(vmNeedsVpc());
    kcp.release();
    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isTrue();

    kcp.objects.remove(CONSENT);

    assertThat(
            lately
                .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                .isEligible(protection))
        .isFalse();
  }

  private static DependencyRule indexed() {
    return vmNeedsVpc().with(enforced(Mode.DENY, Consistency.INDEXED));
  }

  private EligibilityChecker checker(Duration ageMax) {
    return new EligibilityChecker(
        _ -> kcp,
        _ -> kcp,
        new ProviderPaths(_ -> {
          throw new IllegalArgumentException("no such cluster");
        }),
        DependencyRule.GROUP,
        ageMax,
        time);
  }

  private void knowTheBindings() {
    kcp.lettingThrough(() ->
        assertThat(
                checker
                    .eligibilityFor(VPC, Optional.of(NETWORK), Deadline.none())
                    .isEligible(protection(vmNeedsVpc())))
            .isTrue());
  }

  private static MatchedRule protection(DependencyRule rule) {
    return RuleIndex.of(List.of(rule)).about(GroupResource.of(VPCS)).getFirst();
  }

  /** Every cluster in one; holds back all answers until it is told not to. */
  private static final class HeldKcp implements KubeReader {
    private final Map<String, KubeObject> objects =
        new ConcurrentHashMap<>(
            Map.of(
                "apiexports/compute.example.com",
                export(MACHINES),
                "apiexports/network.example.com",
                export(VPCS),
                "apibindings/compute.example.com",
                binding("compute1", MACHINES),
                "apibindings/network.example.com",
                binding("network1", VPCS),
                CONSENT,
                consent("Accepted"),
                "logicalclusters/cluster",
                KubeObject.of(Map.of())));

    private final Map<String, Integer> requests = new ConcurrentHashMap<>();
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch released = new CountDownLatch(1);
    private volatile boolean broken;

    void release() {
      released.countDown();
    }

    void lettingThrough(Runnable action) {
      released.countDown();
      action.run();
      await().until(underWay::isEmpty);
      requests.clear();
      released = new CountDownLatch(1);
    }

    @Override
    public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
      String what = type.resource() + "/" + name;
      answer(what);
      return Optional.ofNullable(objects.get(what));
    }

    @Override
    public KubeList list(ResourceType type, ListQuery query) {
      answer(type.resource());
      return new KubeList(
          objects.entrySet().stream()
              .filter(entry -> entry.getKey().startsWith(type.resource() + "/"))
              .map(Map.Entry::getValue)
              .toList(),
          "1",
          "");
    }

    @Override
    public KubeObject document(String path) {
      throw new AssertionError("no document was asked for");
    }

    private void answer(String what) {
      requests.merge(what, 1, Integer::sum);
      underWay.add(what);
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        underWay.remove(what);
      }
      if (broken) {
        throw new KubeFailure(KubeFailure.Kind.UNAVAILABLE, 503, "", "503 away", null, null);
      }
    }

    private static KubeObject export(ResourceType type) {
      return KubeObject.of(
          Map.of(
              "metadata",
              Map.of("name", type.group()),
              "spec",
              Map.of(
                  "resources", List.of(Map.of("group", type.group(), "name", type.resource())))));
    }

    private static KubeObject binding(String exporter, ResourceType type) {
      return KubeObject.of(
          Map.of(
              "metadata",
              Map.of("name", type.group()),
              "spec",
              Map.of("reference", Map.of("export", Map.of("name", type.group()))),
              "status",
              Map.of(
                  "apiExportClusterName",
                  exporter,
                  "boundResources",
                  List.of(Map.of("group", type.group(), "resource", type.resource())))));
    }
  }
}
