package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.RaceMeeting;
import dev.mooring.runtime.testing.RacePair;
import dev.mooring.runtime.testing.RaceTally;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Deletions that race with new references, on whatever kcp a subclass starts or finds: two replicas
 * of the service over HTTPS, one asked about deletions, the other about references.
 */
abstract class RaceContract extends OnWebhookEnvironment {
  private static final Logger LOG = LoggerFactory.getLogger(RaceContract.class);
  private static final ResourceType RULES =
      new ResourceType("dependencies.opendefense.cloud", "v1alpha1", "dependencyrules");
  private static final ResourceType CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final String REGISTER = "dependency-races";

  private static Path files;
  private static List<ConfigurableApplicationContext> replicas;

  /** Pairs with the mode on. */
  abstract int pairs();

  /** Most pairs, with the mode off, until one goes wrong. */
  abstract int pairsUntilOneGoesWrong();

  static void enter(WebhookEnvironment landscape, Path directory) throws Exception {
    land = landscape;
    files = directory;
    rule("machines-need", land.network, ".spec.ref.name");
    ConfigurableApplicationContext deletions = land.serve(1);
    ConfigurableApplicationContext references = land.serve(1);
    replicas = List.of(deletions, references);
    configure(land.network, List.of(entry(land.network, deletions, VPCS, "DELETE")));
    configure(land.compute, List.of(entry(land.compute, references, MACHINES, "CREATE", "UPDATE")));
    awaitReviews();
  }

  @Test
  void neverLetsADeletionAndAReferenceBothSucceed() throws Exception {
    RaceTally tally = race("on", pairs());

    LOG.info("With race protection: {}", tally);
    assertThat(tally.anyDangling()).as(tally.toString()).isZero();
    assertThat(tally.overlapped()).as(tally.toString()).isPositive();
    assertThat(tally.deletions() + tally.references()).as(tally.toString()).isPositive();
    assertThat(tally.pairs())
        .allSatisfy(pair ->
            assertThat(List.of(pair.deletion(), pair.reference()))
                .allMatch(RacePair.Attempt::clear));
  }

  /** The suite can fail. */
  @Test
  void findsDanglingReferencesWhereReferencesAreNotReviewed() throws Exception {
    RaceTally tally;
    try (var _ = new Unreviewed()) {
      var pairs = new ArrayList<RacePair>();
      do {
        pairs.addAll(race("off-" + pairs.size(), 4 * RaceMeeting.WORKERS).pairs());
        tally = new RaceTally(pairs);
      } while (tally.dangling() == 0 && pairs.size() < pairsUntilOneGoesWrong());
    }

    LOG.info("Without race protection: {}", tally);
    assertThat(tally.dangling()).as(tally.toString()).isPositive();
  }

  @Test
  void refusesAReferenceToNothingWhereTheRuleDemandsATarget() {
    KubeFailure refusal = refusedReference("nothing-there");

    assertThat(refusal.code()).isEqualTo(403);
    assertThat(refusal)
        .hasMessageEndingWith(
            "virtualmachines/vm-nothing-there cannot refer to vpcs/nothing-there: there is no"
                + " vpcs/nothing-there; create it first");
  }

  @Test
  void aRuleThatDoesNotCountRefusesNoReference() {
    // Nobody exports networks there.
    rule("rogue", land.compute, ".spec.odd.name");
    awaitReviewed(2);
    try {
      land.create(VPCS, "default", "present", "");
      land.create(
          land.consumer,
          MACHINES,
          "default",
          "vm-odd",
          Map.of("ref", Map.of("name", "present"), "odd", Map.of("name", "nothing-there")));

      land.assertRefused(
          VPCS,
          "default",
          "present",
          "cannot delete vpcs/present: still referenced by VirtualMachine/vm-odd");
    } finally {
      land.deleteRule("rogue");
      awaitReviewed(1);
    }
  }

  /** One on each shard. */
  static Stream<WorkspacePath> consumers() {
    return land.consumers.stream();
  }

  @ParameterizedTest
  @MethodSource("consumers")
  void refusesADeletionByWhatTheRegisterKnows(WorkspacePath in) {
    land.create(in, VPCS, "default", "held", "");
    land.create(in, MACHINES, "default", "vm-held", "held");

    land.assertRefused(
        in,
        VPCS,
        "default",
        "held",
        "cannot delete vpcs/held: still referenced by VirtualMachine/vm-held");
  }

  @Test
  void allowsAtOnceWhatIsNoLongerReferredTo() {
    land.create(VPCS, "default", "left", "");
    land.create(VPCS, "default", "joined", "");
    land.create(MACHINES, "default", "vm-moving", "left");
    refer(land.consumer, "vm-moving", "joined");

    land.assertDeletable(VPCS, "default", "left");
    land.assertRefused(
        VPCS,
        "default",
        "joined",
        "cannot delete vpcs/joined: still referenced by VirtualMachine/vm-moving");
  }

  @Test
  void refusesAReferenceToWhatWaitsForItsFinalizers() {
    land.create(VPCS, "default", "going", "");
    land.workspaces
        .client(land.consumer)
        .patch(
            VPCS,
            "default",
            "going",
            Map.of("metadata", Map.of("finalizers", List.of("example.com/hold"))));
    land.delete(VPCS, "default", "going");

    KubeFailure refusal = refusedReference("going");

    assertThat(refusal.code()).isEqualTo(409);
    assertThat(refusal)
        .hasMessageEndingWith("vpcs/going is being deleted and waits for its finalizers");
    land.workspaces
        .client(land.consumer)
        .patch(VPCS, "default", "going", Map.of("metadata", Map.of("finalizers", List.of())));
  }

  @Test
  void recordsNoReferenceThatIsNotAddedAndNoneOfWhatIsNotReviewed() {
    land.create(VPCS, "default", "quiet", "");
    land.create(MACHINES, "default", "vm-quiet", "");
    land.annotate(MACHINES, "default", "vm-quiet", "example.com/touched", "true");

    assertThat(leasesAbout("quiet")).isEmpty();
  }

  private static KubeFailure refusedReference(String vpc) {
    try {
      machine(land.consumer, "vm-" + vpc, vpc);
    } catch (KubeFailure failure) {
      return failure;
    }
    throw new AssertionError("a machine came to refer to " + vpc);
  }

  private static List<KubeObject> leasesAbout(String vpc) {
    return land
        .workspaces
        .client(land.dependencies)
        .list(LEASES, ListQuery.ALL.inNamespace(REGISTER))
        .items()
        .stream()
        .filter(lease ->
            lease
                .annotations()
                .getOrDefault("dependencies.opendefense.cloud/race-target", "")
                .endsWith(" " + vpc))
        .toList();
  }

  private static RaceTally race(String prefix, int pairs) throws Exception {
    return RaceMeeting.race(
        pairs,
        i ->
            new Meeting(
                land.consumers.get(i / 2 % land.consumers.size()),
                "race-" + prefix + "-" + i,
                i % 2 == 0 ? "create" : "change"));
  }

  /**
   * A VPC and the machine that is to refer to it.
   *
   * @param how {@code create} it with the reference, or {@code change} it
   */
  private record Meeting(WorkspacePath in, String name, String how) implements RaceMeeting {
    @Override
    public void prepare() {
      land.create(in, VPCS, "default", name, "");
      if (how.equals("change")) {
        land.create(in, MACHINES, "default", "vm-" + name, "");
      }
    }

    @Override
    public void delete() {
      land.delete(in, VPCS, "default", name);
    }

    @Override
    public void refer() {
      if (how.equals("change")) {
        RaceContract.refer(in, "vm-" + name, name);
      } else {
        machine(in, "vm-" + name, name);
      }
    }

    @Override
    public boolean referring() {
      return land.workspaces
          .client(in)
          .find(MACHINES, "default", "vm-" + name)
          .filter(machine -> machine.text("spec", "ref", "name").equals(name))
          .isPresent();
    }

    @Override
    public boolean there() {
      return land.exists(in, VPCS, "default", name);
    }
  }

  private static void refer(WorkspacePath in, String machine, String vpc) {
    land.workspaces
        .client(in)
        .patch(MACHINES, "default", machine, Map.of("spec", Map.of("ref", Map.of("name", vpc))));
  }

  /** Without the patience that {@link WebhookEnvironment#create} has. */
  private static void machine(WorkspacePath in, String name, String vpc) {
    land.workspaces
        .client(in)
        .create(
            MACHINES,
            KubeObject.of(
                Map.of(
                    "apiVersion", MACHINES.apiVersion(),
                    "kind", "VirtualMachine",
                    "metadata", Map.of("name", name, "namespace", "default"),
                    "spec", Map.of("ref", Map.of("name", vpc)))));
  }

  /** While it is open the mode is off. */
  private static final class Unreviewed implements AutoCloseable {
    private final KubeObject configuration;

    Unreviewed() {
      KubeClient compute = land.workspaces.client(land.compute);
      configuration = compute.find(CONFIGURATIONS, "", "dependency-controller").orElseThrow();
      compute.delete(
          CONFIGURATIONS, "", "dependency-controller", new DeleteCondition.Unconditional());
      raceProtection("none", 0);
      await()
          .until(() ->
              land.consumers.stream()
                  .allMatch(in -> reference(in, "vm-" + unique(), "nothing-at-all") == 0));
    }

    @Override
    public void close() {
      raceProtection("strict", 1);
      land.workspaces
          .client(land.compute)
          .create(
              CONFIGURATIONS,
              configuration
                  .without("metadata", "resourceVersion")
                  .without("metadata", "uid")
                  .without("metadata", "managedFields"));
      awaitReviews();
    }

    private static void raceProtection(String mode, int reviewed) {
      land.workspaces
          .client(land.compute)
          .patch(RULES, "", "machines-need", Map.of("spec", Map.of("raceProtection", mode)));
      awaitReviewed(reviewed);
    }
  }

  /** All replicas know so many race-free rules. */
  private static void awaitReviewed(int count) {
    for (ConfigurableApplicationContext replica : replicas) {
      RuleStore rules = replica.getBean(RuleStore.class);
      await()
          .until(() ->
              rules.current() instanceof Rules.Loaded(var index)
                  && index.referencesFrom(GroupResource.of(MACHINES), Optional.empty()).size()
                      == count);
    }
  }

  /** 0 if it was made; else the HTTP status. */
  private static int reference(WorkspacePath in, String name, String vpc) {
    try {
      machine(in, name, vpc);
      return 0;
    } catch (KubeFailure failure) {
      return failure.code();
    }
  }

  private static String unique() {
    return Long.toString(System.nanoTime(), 36);
  }

  /** Says that machines need VPCs of a provider. */
  private static void rule(String name, WorkspacePath provider, String path) {
    String yaml =
        """
        apiVersion: dependencies.opendefense.cloud/v1alpha1
        kind: DependencyRule
        metadata: {name: %s}
        spec:
          raceProtection: strict
          dependent: {apiExportName: compute.example.com, group: compute.example.com, version: v1alpha1, kind: VirtualMachine, resource: virtualmachines}
          dependencies:
            - apiExportRef: {path: "%s", name: network.example.com}
              group: network.example.com
              version: v1alpha1
              resource: vpcs
              fieldRef: {path: %s}
              requireTarget: true
        """
            .formatted(name, provider, path);
    land.workspaces.create(land.compute, RULES, Manifests.parse(yaml).getFirst());
  }

  private static Map<String, Object> entry(
      WorkspacePath provider,
      ConfigurableApplicationContext replica,
      ResourceType type,
      String... operations)
      throws Exception {
    String ca = Base64.getEncoder().encodeToString(Files.readAllBytes(files.resolve("tls/ca.crt")));
    String url =
        "https://127.0.0.1:%d/validate/%s"
            .formatted(WebhookEnvironment.port(replica), land.workspaces.cluster(provider));
    return Map.of(
        "name",
        WebhookEnvironment.WEBHOOK,
        "clientConfig",
        Map.of("url", url, "caBundle", ca),
        "rules",
        List.of(
            Map.of(
                "apiGroups", List.of(type.group()),
                "apiVersions", List.of(type.version()),
                "operations", List.of(operations),
                "resources", List.of(type.resource()))),
        "failurePolicy",
        "Fail",
        "sideEffects",
        "NoneOnDryRun",
        "admissionReviewVersions",
        List.of("v1"));
  }

  private static void configure(WorkspacePath provider, List<Map<String, Object>> entries) {
    land.workspaces.create(
        provider,
        CONFIGURATIONS,
        KubeObject.of(
            Map.of(
                "apiVersion",
                CONFIGURATIONS.apiVersion(),
                "kind",
                "ValidatingWebhookConfiguration",
                "metadata",
                Map.of("name", "dependency-controller"),
                "webhooks",
                entries)));
  }

  /** API servers take up a new configuration after a moment. */
  private static void awaitReviews() {
    land.consumers.forEach(RaceContract::awaitReviews);
  }

  private static void awaitReviews(WorkspacePath in) {
    await().until(() -> reference(in, "vm-" + unique(), "nothing-at-all") == 403);
    String canary = "canary-" + unique();
    land.create(in, VPCS, "default", canary, "");
    land.create(in, MACHINES, "default", "vm-" + canary, canary);
    await()
        .until(() -> {
          if (!land.exists(in, VPCS, "default", canary)) {
            // What refers to it is there already, so that this is refused if it is reviewed.
            land.create(in, VPCS, "default", canary, "");
          }
          try {
            land.delete(in, VPCS, "default", canary);
            return false;
          } catch (KubeFailure failure) {
            return failure.code() == 403;
          }
        });
  }
}
