package dev.mooring.depwebhook.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.admission.Review;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.DeletionGate;
import dev.mooring.depwebhook.lookup.DeletionQuery;
import dev.mooring.depwebhook.lookup.DeletionQuery.Claimed;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.lookup.decide.LookupResult.Found;
import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.race.decide.DeletionClaim;
import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.race.decide.RegisterKey;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.dependency.WhileTerminating;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.Pause;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each side of a race, with the other's records put into a register on the sandbox. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class RaceSidesIT {
  private static final String NAMESPACE = "dependency-races";
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final DependencyRule RULE = Fixtures.vmNeedsVpc();
  private static final Enforcement RACE_FREE =
      new Enforcement(
          Mode.DENY,
          WhileTerminating.BLOCK,
          Bypass.ANNOTATION,
          Consistency.STRICT,
          dev.mooring.model.dependency.RaceProtection.STRICT);

  private static final Found KEPT =
      new Found(
          Blockers.of(
              List.of(new Blocker("VirtualMachine", "default", "vm1")), Search.STOPPED_EARLY),
          List.of("compute1/vm-dependencies"),
          List.of());

  private static TestWorkspaces workspaces;
  private static KubeClient workspace;

  private final Ids ids = Ids.random();
  private final FakeWorkspace consumer = new FakeWorkspace();
  private final String vpc = "net-" + ids.next();
  private final RegisterKey key =
      new RegisterKey(Fixtures.CONSUMER, GroupResource.of(Fixtures.VPCS), vpc);
  private Instant now = NOON;
  private Deadline deadline = Deadline.start(() -> now, "10s");
  private final RegisterStore register =
      new RegisterStore(workspace, NAMESPACE, () -> now, RaceTimings.STANDARD);
  private Pause pause =
      duration -> {
        throw new AssertionError("nothing is to be waited for");
      };
  private Duration reading = Duration.ZERO;
  private Duration setBack = Duration.ZERO;
  private UnaryOperator<List<MatchedRule>> eligible = UnaryOperator.identity();
  private boolean gone;
  private boolean forbidden;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    workspaces = TestWorkspaces.onSandbox(directory);
    WorkspacePath path = workspaces.create("race-sides");
    workspaces.create(
        path, "apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n".formatted(NAMESPACE));
    workspace = workspaces.client(path);
  }

  @AfterAll
  static void stops() {
    workspaces.close();
  }

  @Test
  void aReferenceWaitsForADeletionThatIsRefused() {
    var claim = new DeletionClaim(ids.next(), "u-vpc", NOON);
    register.claimDeletion(key, claim);
    pause = _ -> register.withdraw(key, claim.id());

    assertThat(refer()).isEmpty();

    assertThat(register.page(key).referenceClaims()).hasSize(1);
  }

  @Test
  void aReferenceGivesUpOnADeletionThatGoesOn() {
    register.claimDeletion(key, new DeletionClaim(ids.next(), "u-vpc", NOON));
    pause = duration -> now = now.plus(duration);

    assertThat(refer()).map(ClientRefusal::code).contains(429);

    assertThat(register.page(key).referenceClaims()).isEmpty();
    assertThat(now).isBefore(NOON.plusSeconds(1));
  }

  @Test
  void aReferenceIsRefusedIfTheDeletionThatItWaitedForWasCarriedOut() {
    register.claimDeletion(key, new DeletionClaim(ids.next(), "u-vpc", NOON));
    pause = _ -> gone = true;

    assertThat(refer()).map(ClientRefusal::code).contains(429);

    assertThat(register.page(key).referenceClaims()).isEmpty();
  }

  @Test
  void oneOfSeveralReferencesThatIsRefusedTakesTheOthersBack() {
    String other = "a-" + vpc;
    var otherKey = new RegisterKey(Fixtures.CONSUMER, GroupResource.of(Fixtures.VPCS), other);
    register.claimDeletion(key, new DeletionClaim(ids.next(), "u-vpc", NOON));
    pause =
        duration -> {
          assertThat(register.page(otherKey).referenceClaims()).hasSize(1);
          now = now.plus(duration);
        };
    DependencyRule two =
        Fixtures.rule(
            "two", Fixtures.MACHINES, "root:network", Fixtures.VPCS, ".spec.vpcs[*].name");

    Optional<ClientRefusal> refusal =
        refer(
            List.of(two),
            KubeObject.of(
                Map.of(
                    "metadata",
                    Map.of("name", "vm1", "namespace", "default", "uid", "u-machine"),
                    "spec",
                    Map.of("vpcs", List.of(Map.of("name", other), Map.of("name", vpc))))));

    assertThat(refusal).map(ClientRefusal::code).contains(429);
    assertThat(register.page(key).referenceClaims()).isEmpty();
    assertThat(register.page(otherKey).referenceClaims()).isEmpty();
  }

  @Test
  void aReferenceIsNotRefusedForRulesThatDoNotCount() {
    register.claimDeletion(key, new DeletionClaim(ids.next(), "u-vpc", NOON));
    pause = duration -> now = now.plus(duration);
    eligible = _ -> List.of();

    assertThat(refer()).isEmpty();

    assertThat(register.page(key).referenceClaims()).isEmpty();
  }

  @Test
  void aReferenceIsAnnouncedForTheRulesThatCountAmongOthers() {
    String missing = "missing-" + vpc;
    DependencyRule honest =
        Fixtures.rule("honest", Fixtures.MACHINES, "root:network", Fixtures.VPCS, ".spec.vpc");
    DependencyRule rogue =
        Fixtures.rule("rogue", Fixtures.MACHINES, "root:network", Fixtures.VPCS, ".spec.other");
    eligible = all -> all.stream().filter(one -> one.rule().equals(honest)).toList();
    KubeObject machine =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "vm1", "namespace", "default", "uid", "u-machine"),
                "spec",
                Map.of("vpc", vpc, "other", missing)));

    assertThat(refer(List.of(honest, demanding(rogue)), machine)).isEmpty();

    assertThat(register.page(key).referenceClaims()).hasSize(1);
    var missingKey = new RegisterKey(Fixtures.CONSUMER, GroupResource.of(Fixtures.VPCS), missing);
    assertThat(register.page(missingKey).referenceClaims()).isEmpty();
  }

  @Test
  void checksNoEligibilityToAllowAReference() {
    eligible =
        _ -> {
          throw new AssertionError("nothing is refused");
        };

    assertThat(refer()).isEmpty();
  }

  @Test
  void aReferenceThatIsTooLateIsAskedBackAndLeavesNoAnnouncement() {
    reading = Duration.ofSeconds(8);

    assertThat(refer())
        .hasValueSatisfying(refusal -> {
          assertThat(refusal.code()).isEqualTo(503);
          assertThat(refusal.retryAfter()).isEqualTo(Duration.ofSeconds(1));
          assertThat(refusal.message()).endsWith(DeletionRace.NO_TIME);
        });

    assertThat(register.page(key).referenceClaims()).isEmpty();
  }

  @Test
  void aDeletionThatIsTooLateIsAskedBackAndLeavesNoIntent() {
    String answer =
        delete(_ -> {
          assertThat(register.page(key).deletionClaims()).hasSize(1);
          now = deadline.evaluateBy();
          return "allowed";
        });

    assertThat(answer).startsWith("503 cannot delete vpcs/" + vpc).endsWith(DeletionRace.NO_TIME);
    assertThat(register.page(key).deletionClaims()).isEmpty();
  }

  /** Deadlines are measured by time that never goes back, unlike what others read. */
  @Test
  void isNoLessLateWhereTheMachinesClockWasSetBack() {
    setBack = Duration.ofHours(1);
    reading = Duration.ofSeconds(8);

    assertThat(refer())
        .hasValueSatisfying(
            refusal -> assertThat(refusal.message()).endsWith(DeletionRace.NO_TIME));

    reading = Duration.ZERO;
    assertThat(
            delete(_ -> {
              now = deadline.evaluateBy();
              return "allowed";
            }))
        .endsWith(DeletionRace.NO_TIME);
  }

  @Test
  void aDeletionWhoseReferrersCannotBeReadLeavesNoIntent() {
    String answer =
        delete(_ -> {
          throw new KubeFailure(KubeFailure.Kind.UNAVAILABLE, 503, "", "etcd is away", null, null);
        });

    assertThat(answer).isEqualTo("503 cannot delete vpcs/" + vpc + ": etcd is away");
    assertThat(register.page(key).deletionClaims()).isEmpty();
  }

  @Test
  void aDeletionThatMeetsAMistakeOfTheWebhookLeavesNoIntent() {
    String answer =
        delete(_ -> {
          assertThat(register.page(key).deletionClaims()).hasSize(1);
          throw new ClassCastException("a mistake of ours");
        });

    assertThat(answer)
        .isEqualTo(
            "503 cannot delete vpcs/" + vpc + ": the dependency webhook failed; its log tells why");
    assertThat(register.page(key).deletionClaims()).isEmpty();
  }

  /** Who looks is interrupted then; who takes back is not. */
  @Test
  void anExpiredDeletionLeavesNoIntent() {
    String answer =
        delete(_ -> {
          assertThat(register.page(key).deletionClaims()).hasSize(1);
          deadline.expire();
          return PendingRead.begin(
                  "what never comes",
                  () -> {
                    new CountDownLatch(1).await();
                    return "allowed";
                  })
              .result(deadline);
        });

    assertThat(answer).startsWith("503 cannot delete vpcs/" + vpc);
    assertThat(register.page(key).deletionClaims()).isEmpty();
  }

  @Test
  void aReferenceNamesTheRightThatItLacksToReadItsTarget() {
    forbidden = true;

    assertThat(refer())
        .map(ClientRefusal::message)
        .contains(
            "virtualmachines/vm1 cannot refer to vpcs/%1$s: reading vpcs/%1$s: 403 access denied;"
                    .formatted(vpc)
                + " let the webhook's user get and list vpcs.network.example.com in logical"
                + " cluster consumer1: the operator of the webhook has to add {apiGroups:"
                + " [network.example.com], resources: [vpcs]} to kcpManifests.dependents of the"
                + " chart, and apply its manifests of place shard again in system:admin of every"
                + " shard");
  }

  @Test
  void aDeletionNamesTheRightThatItLacksToReadAnAnnouncedDependent() {
    assertThat(refer()).isEmpty();
    forbidden = true;

    assertThat(delete(_ -> "allowed"))
        .startsWith("503 cannot delete vpcs/" + vpc)
        .contains(
            "403 access denied; let the webhook's user get virtualmachines.compute.example.com in"
                + " logical cluster consumer1");
  }

  @Test
  void aDeletionGoesOnAfterTheAnnouncedDependentsTypeIsServedNoMore() {
    assertThat(refer()).isEmpty();

    assertThat(delete(_ -> "allowed"))
        .as("the request may still be carried out")
        .startsWith("429 cannot delete vpcs/" + vpc);
    now = NOON.plus(RaceTimings.STANDARD.open()).plusSeconds(1);
    deadline = Deadline.start(() -> now, "10s");
    assertThat(delete(_ -> "allowed")).isEqualTo("allowed");
  }

  @Test
  void aDeletionReadsAnAnnouncedDependentInTheVersionThatItsRuleCameToName() {
    assertThat(refer()).isEmpty();
    var later = new ResourceType(Fixtures.MACHINES.group(), "v1", Fixtures.MACHINES.resource());
    consumer.serves(later, FakeWorkspace.Scope.NAMESPACED, machine());
    Function<Optional<Claimed>, String> judge = claimed -> claimed.isPresent() ? "kept" : "allowed";

    assertThat(delete(judge)).startsWith("503 cannot delete vpcs/" + vpc);
    DependencyRule corrected =
        Fixtures.rule("corrected", later, "root:network", Fixtures.VPCS, ".spec.vpcRef.name");
    assertThat(delete(corrected, judge)).isEqualTo("kept");
  }

  @Test
  void aDeletionThatIsGrantedLeavesItsIntent() {
    assertThat(delete(_ -> "allowed")).isEqualTo("allowed");

    assertThat(register.page(key).deletionClaims()).hasSize(1);
  }

  private Optional<ClientRefusal> refer() {
    return refer(List.of(RULE), machine());
  }

  private KubeObject machine() {
    return Fixtures.machine("default", "vm1", vpc).with("u-machine", "metadata", "uid");
  }

  /** The same, of targets that have to be there. */
  private static DependencyRule demanding(DependencyRule rule) {
    DependencyRule.Dependency dependency = rule.dependencies().getFirst();
    return new DependencyRule(
        rule.key(),
        rule.generation(),
        rule.dependent(),
        List.of(
            new DependencyRule.Dependency(
                dependency.export(), dependency.target(), dependency.field(), true)));
  }

  private Optional<ClientRefusal> refer(List<DependencyRule> rules, KubeObject machine) {
    var review =
        new Review.CreateOrUpdate(
            "r-1",
            Fixtures.CONSUMER,
            Fixtures.MACHINES,
            Optional.empty(),
            machine,
            Recording.RECORDED,
            Optional.empty());
    return new ReferenceRace(parts(), review, deadline)
        .refusal(
            rules.stream()
                .map(rule -> new MatchedRule(rule, rule.dependencies().getFirst()))
                .toList(),
            eligible);
  }

  private String delete(Function<Optional<Claimed>, String> judge) {
    return delete(RULE, judge);
  }

  private String delete(DependencyRule rule, Function<Optional<Claimed>, String> judge) {
    List<MatchedRule> protections =
        List.of(new MatchedRule(rule.with(RACE_FREE), rule.dependencies().getFirst()));
    Target target = Fixtures.vpc("default", vpc);
    var query =
        new DeletionQuery(
            target,
            "u-vpc",
            Recording.RECORDED,
            protections,
            RuleEligibility.EVERY,
            Optional.empty(),
            deadline,
            Optional.empty());
    DeletionGate lookup =
        asked ->
            judge.apply(asked.claimed()).equals("allowed")
                ? new LookupResult.Complete(Map.of(), List.of())
                : new LookupResult.Complete(Map.of(Mode.DENY, KEPT), List.of());
    var gate = new RaceProtection(parts(), lookup, () -> {});
    return switch (gate.findReferrers(query)) {
      case LookupResult.Contended(var refusal) -> refusal.code() + " " + refusal.message();
      case LookupResult.Incomplete(var missing, _) -> missing;
      case LookupResult.Complete complete -> complete.of(Mode.DENY).isEmpty() ? "allowed" : "kept";
    };
  }

  /** The consumer's workspace has the VPC. */
  private RaceContext parts() {
    KubeObject there =
        KubeObject.of(
            Map.of("metadata", Map.of("name", vpc, "namespace", "default", "uid", "u-vpc")));
    consumer.serves(Fixtures.VPCS, FakeWorkspace.Scope.NAMESPACED, there);
    var after = new FakeWorkspace().serves(Fixtures.VPCS, FakeWorkspace.Scope.NAMESPACED);
    return new RaceContext(
        register,
        _ -> {
          now = now.plus(reading);
          if (forbidden) {
            consumer.failsOnce(KubeFailure.Kind.FORBIDDEN, 403, "403 access denied");
          }
          return gone ? after : consumer;
        },
        RaceTimings.STANDARD,
        ids,
        () -> now.minus(setBack),
        duration -> pause.forAbout(duration),
        new RaceMetrics(new SimpleMeterRegistry()));
  }
}
