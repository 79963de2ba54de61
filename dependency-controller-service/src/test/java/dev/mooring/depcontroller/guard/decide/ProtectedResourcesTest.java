package dev.mooring.depcontroller.guard.decide;

import static dev.mooring.depcontroller.Fixtures.on;
import static dev.mooring.depcontroller.Fixtures.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.ProtectedResources.Certainty;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.depcontroller.workspace.decide.Resolution.Absent;
import dev.mooring.depcontroller.workspace.decide.Resolution.Known;
import dev.mooring.depcontroller.workspace.decide.Resolution.Pending;
import dev.mooring.depcontroller.workspace.decide.Resolution.Unknown;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProtectedResourcesTest {
  private static final LogicalCluster NETWORK = new LogicalCluster("network1");
  private static final WorkspacePath PATH = new WorkspacePath("root:network");
  private static final WorkspacePath OTHER = new WorkspacePath("root:other");

  @Test
  void unitesWhatAllRulesSayAboutOneWorkspace() {
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK), OTHER, new Known(new LogicalCluster("other1"))),
            rule("a", on("root:network", "vpcs"), on("root:network", "vpcs")),
            rule("b", on("root:network", "subnets"), on("root:other", "zones")));

    assertThat(wanted.resources())
        .extracting(GroupResource::resource)
        .containsExactly("subnets", "vpcs");
    assertThat(wanted.certainty()).isEqualTo(Certainty.ALL_KNOWN);
  }

  @Test
  void countsTwoPathsOfOneWorkspace() {
    var alias = new WorkspacePath("xk2h:network");
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK), alias, new Known(NETWORK)),
            rule("a", on("root:network", "vpcs")),
            rule("b", on("xk2h:network", "subnets")));

    assertThat(wanted.resources()).hasSize(2);
  }

  @Test
  void leavesOutWhatLeadsNowhere() {
    var wanted = in(Map.of(PATH, new Absent("deleted")), rule("a", on("root:network", "vpcs")));

    assertThat(wanted.resources()).isEmpty();
    assertThat(wanted.certainty()).isEqualTo(Certainty.ALL_KNOWN);
  }

  @Test
  void mayBeMoreWhileAPathCannotBeResolved() {
    var wanted = in(Map.of(PATH, new Unknown("403")), rule("a", on("root:network", "vpcs")));

    assertThat(wanted.certainty()).isEqualTo(Certainty.MAY_BE_MORE);
  }

  @Test
  void mayBeMoreWhileAPathHasNotBeenLookedUp() {
    DependencyRule rule = rule("a", on("root:network", "vpcs"));

    assertThat(in(Map.of(), rule).certainty()).isEqualTo(Certainty.MAY_BE_MORE);
    assertThat(in(Map.of(PATH, new Pending()), rule).certainty()).isEqualTo(Certainty.MAY_BE_MORE);
  }

  @Test
  void anUnknownPathElsewhereDoesNotKeepAKnownWorkspaceFromShrinking() {
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK), OTHER, new Unknown("403")),
            rule("a", on("root:network", "vpcs"), on("root:other", "zones")));

    assertThat(wanted.certainty()).isEqualTo(Certainty.ALL_KNOWN);
  }

  @Test
  void anUnknownPathByClusterNameMayMeanAnyWorkspace() {
    var alias = new WorkspacePath("xk2h:network");
    var wanted =
        in(
            Map.of(PATH, new Known(NETWORK), alias, new Unknown("403")),
            rule("a", on("root:network", "vpcs"), on("xk2h:network", "zones")));

    assertThat(wanted.certainty()).isEqualTo(Certainty.MAY_BE_MORE);
  }

  private static ProtectedResources in(
      Map<WorkspacePath, Resolution> resolutions, DependencyRule... rules) {
    return ProtectedResources.in(NETWORK, List.of(rules), resolutions);
  }
}
