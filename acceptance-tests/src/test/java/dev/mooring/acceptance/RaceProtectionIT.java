package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.find;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.KcpChoice;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.RaceMeeting;
import dev.mooring.runtime.testing.RacePair;
import dev.mooring.runtime.testing.RaceTally;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Race protection as it is installed: the controller writes what kcp asks the webhook about, both
 * as users with the rights of the shipped manifests. A second rule about machines and VPCs turns it
 * on and off.
 */
@ExtendWith(Mooring.class)
class RaceProtectionIT {
  private static final Logger LOG = LoggerFactory.getLogger(RaceProtectionIT.class);
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final String RULE = "raced-machines";
  private static final int PAIRS_UNTIL_ONE_GOES_WRONG = 1_000;

  private DemoEnvironment stage;
  private ClusterClient blue;
  private int pairs;
  private int probes;

  @BeforeEach
  void protects(Mooring.Running running) {
    stage = running.stage();
    blue = stage.blue();
    pairs =
        switch (running.suite().choice()) {
          case KcpChoice.Sandbox(int _) -> 60;
          case KcpChoice.Existing(_) -> 1_000;
        };
    if (rule().isEmpty()) {
      stage.compute().client().create(Types.DEPENDENCY_RULES, raced(".spec.vpcRef.name"));
    }
  }

  @AfterEach
  void endsProtection() {
    stage
        .compute()
        .client()
        .delete(Types.DEPENDENCY_RULES, "", RULE, new DeleteCondition.Unconditional());
    await("nothing is asked about machines").until(() -> reviewed().isEmpty());
  }

  @Test
  void neverLetsADeletionAndAReferenceBothSucceed() throws Exception {
    awaitReviews();

    RaceTally tally = race("on", pairs);

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
  void findsDanglingReferencesWithoutRaceProtection() throws Exception {
    change(Map.of("raceProtection", "none"));
    await("nothing is asked about machines").until(() -> reviewed().isEmpty());
    await("references are announced no more").until(() -> !announces());

    RaceTally tally;
    var all = new ArrayList<RacePair>();
    do {
      all.addAll(race("off-" + all.size(), 4 * RaceMeeting.WORKERS).pairs());
      tally = new RaceTally(all);
    } while (tally.dangling() == 0 && all.size() < PAIRS_UNTIL_ONE_GOES_WRONG);

    LOG.info("Without race protection: {}", tally);
    assertThat(tally.dangling()).as(tally.toString()).isPositive();
  }

  @Test
  void reviewsReferencesInTheStatus() {
    // The story's machines have no better field for it.
    change(Map.of("dependencies", raced(".status.phase").list("spec", "dependencies")));
    await("the status is asked about")
        .until(() -> reviewed().contains("references virtualmachines,virtualmachines/status"));
    blue.client().create(Types.VPCS, vpc("elsewhere"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("phase-user", "elsewhere"));
    String probe = "phase";
    blue.client().create(Types.VPCS, vpc(probe));
    await("references in the status are announced")
        .until(() -> {
          writePhase("phase-user", "elsewhere");
          writePhase("phase-user", probe);
          return announced(probe);
        });

    assertThat(refusal(blue, Types.VPCS, probe))
        .hasMessageContaining("still referenced by VirtualMachine/phase-user");
  }

  private void writePhase(String machine, String phase) {
    blue.client()
        .patchStatus(
            Types.VIRTUAL_MACHINES, "default", machine, Map.of("status", Map.of("phase", phase)));
  }

  private RaceTally race(String prefix, int count) throws Exception {
    return RaceMeeting.race(count, i -> new Meeting(blue, "race-" + prefix + "-" + i));
  }

  /** A VPC, and a machine that is created to refer to it. */
  private record Meeting(ClusterClient cluster, String name) implements RaceMeeting {
    @Override
    public void prepare() {
      cluster.client().create(Types.VPCS, vpc(name));
    }

    @Override
    public void delete() {
      Objects.delete(cluster, Types.VPCS, name);
    }

    @Override
    public void refer() {
      cluster.client().create(Types.VIRTUAL_MACHINES, machine("user-of-" + name, name));
    }

    @Override
    public boolean referring() {
      return find(cluster, Types.VIRTUAL_MACHINES, "user-of-" + name).isPresent();
    }

    @Override
    public boolean there() {
      return find(cluster, Types.VPCS, name).isPresent();
    }
  }

  /** API servers take up a configuration, and the webhook a rule, after a moment. */
  private void awaitReviews() {
    await("both sides are reviewed").until(() -> announces() && intends());
  }

  private boolean announces() {
    String name = probe();
    blue.client().create(Types.VPCS, vpc(name));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("user-of-" + name, name));
    return announced(name);
  }

  private boolean intends() {
    String name = probe();
    blue.client().create(Types.VPCS, vpc(name));
    delete(blue, Types.VPCS, name);
    return recorded("race-deletions", name);
  }

  private String probe() {
    return "probe-" + Long.toString(System.nanoTime(), 36) + "-" + probes++;
  }

  private boolean announced(String vpc) {
    return recorded("race-references", vpc);
  }

  private boolean recorded(String records, String vpc) {
    return stage
        .dependencies()
        .client()
        .list(LEASES, ListQuery.ALL.inNamespace("dependency-races"))
        .items()
        .stream()
        .filter(lease ->
            lease
                .annotation("dependencies.opendefense.cloud/" + records)
                .filter(all -> !all.equals("[]"))
                .isPresent())
        .anyMatch(lease ->
            lease
                .annotation("dependencies.opendefense.cloud/race-target")
                .filter(target -> target.endsWith(" " + vpc))
                .isPresent());
  }

  /** What the rule's own workspace asks the webhook about: names of entries, and resources. */
  private List<String> reviewed() {
    return Objects.guard(stage.compute())
        .map(found -> found.list("webhooks"))
        .orElse(List.of())
        .stream()
        .map(entry ->
            Trees.textOrEmpty(Trees.at(entry, "name")).split("\\.")[0]
                + " "
                + String.join(",", resources(entry)))
        .toList();
  }

  private static List<String> resources(Object entry) {
    return Trees.listOrEmpty(Trees.at(entry, "rules")).stream()
        .flatMap(rule -> Trees.listOrEmpty(Trees.at(rule, "resources")).stream())
        .map(String.class::cast)
        .toList();
  }

  private Optional<KubeObject> rule() {
    return stage.compute().client().find(Types.DEPENDENCY_RULES, "", RULE);
  }

  private void change(Map<String, Object> spec) {
    stage.compute().client().patch(Types.DEPENDENCY_RULES, "", RULE, Map.of("spec", spec));
  }

  /**
   * @param field of a machine where the name of its VPC stands
   */
  private KubeObject raced(String field) {
    return KubeObject.of(
        Map.of(
            "apiVersion", Types.DEPENDENCY_RULES.apiVersion(),
            "kind", "DependencyRule",
            "metadata", Map.of("name", RULE),
            "spec",
                Map.of(
                    "raceProtection",
                    "strict",
                    "dependent",
                    Map.of(
                        "apiExportName", "compute.example.corp",
                        "group", "compute.example.corp",
                        "version", "v1alpha1",
                        "kind", "VirtualMachine",
                        "resource", "virtualmachines"),
                    "dependencies",
                    List.of(
                        Map.of(
                            "apiExportRef",
                            Map.of(
                                "path",
                                stage.org().child("network").value(),
                                "name",
                                "network.example.corp"),
                            "group",
                            "network.example.corp",
                            "version",
                            "v1alpha1",
                            "resource",
                            "vpcs",
                            "fieldRef",
                            Map.of("path", field),
                            // Else a reference may come to nothing that was deleted before it.
                            "requireTarget",
                            true)))));
  }
}
