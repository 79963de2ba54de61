package dev.mooring.depwebhook.eligibility.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExportMatchTest {
  private static final MatchedRule PROTECTION =
      new MatchedRule(vmNeedsVpc(), vmNeedsVpc().dependencies().getFirst());
  private static final GroupResource MACHINE = GroupResource.of(MACHINES);
  private static final GroupResource VPC = GroupResource.of(VPCS);

  @Test
  void dependentsOfTheVeryExportAreMeant() {
    assertThat(dependents(bound("compute1", "compute.example.com", MACHINE))).isTrue();
  }

  @Test
  void dependentsOfAnotherWorkspacesOrAnotherExportAreNot() {
    assertThat(dependents(bound("rival1", "compute.example.com", MACHINE))).isFalse();
    assertThat(dependents(bound("compute1", "other.example.com", MACHINE))).isFalse();
  }

  @Test
  void aTypeThatNoBindingExplainsIsTheConsumersOwn() {
    assertThat(dependents(bound("compute1", "compute.example.com", VPC))).isFalse();
    assertThat(dependents()).isFalse();
  }

  @Test
  void aBindingThatDoesNotSayWhoseItIsMayBeTheOne() {
    assertThat(dependents(bound("", "compute.example.com", MACHINE))).isTrue();
  }

  @Test
  void distinguishesTargetsByWorkspaceAndExport() {
    assertThat(target("root:network", bound("network1", "network.example.com", VPC))).isTrue();
    assertThat(target("root:rival", bound("network1", "network.example.com", VPC))).isFalse();
    assertThat(target("root:network", bound("network1", "other.example.com", VPC))).isFalse();
  }

  @Test
  void dependentsOfTheCoreAreMeantWhereTheExportMayHaveThem() {
    var configMaps = new ResourceType("", "v1", "configmaps");
    DependencyRule core = rule("core", configMaps, "root:network", VPCS, ".data.vpc");
    GroupResource type = GroupResource.of(configMaps);
    var exporter = Optional.of(new LogicalCluster("compute1"));
    var claimed = new Binding("b", exporter, "compute.example.com", Set.of(MACHINE), Set.of(type));
    var merelyBound = new Binding("b", exporter, "compute.example.com", Set.of(type), Set.of());

    assertThat(ExportMatch.dependentsMayBeMeant(core, List.of(claimed))).isTrue();
    assertThat(ExportMatch.dependentsMayBeMeant(core, List.of(merelyBound))).isFalse();
    assertThat(
            dependents(
                new Binding("b", exporter, "compute.example.com", Set.of(), Set.of(MACHINE))))
        .isFalse();
  }

  @Test
  void keepsATargetWhoseClusterHasBindingsOfOtherTypesOnly() {
    assertThat(target("root:compute", bound("compute1", "compute.example.com", MACHINE))).isTrue();
  }

  @Test
  void aTargetThatNothingExplainsOrWhosePathIsUnknownIsKept() {
    assertThat(target("root:rival")).isTrue();
    assertThat(
            ExportMatch.targetMayBeMeant(
                PROTECTION,
                List.of(bound("network1", "network.example.com", VPC)),
                _ -> Optional.empty()))
        .isTrue();
  }

  @Test
  void readsBindingsAsKcpWritesThem() {
    KubeObject binding =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "b"),
                "spec",
                Map.of(
                    "reference",
                    Map.of("export", Map.of("path", "root:compute", "name", "compute.example.com")),
                    "permissionClaims",
                    List.of(
                        Map.of("group", "", "resource", "configmaps", "state", "Accepted"),
                        Map.of("group", "", "resource", "secrets", "state", "Rejected"))),
                "status",
                Map.of(
                    "apiExportClusterName",
                    "compute1",
                    "boundResources",
                    List.of(Map.of("group", MACHINES.group(), "resource", MACHINES.resource())))));

    assertThat(Binding.of(binding))
        .isEqualTo(
            new Binding(
                "b",
                Optional.of(new LogicalCluster("compute1")),
                "compute.example.com",
                Set.of(MACHINE),
                Set.of(new GroupResource("", "configmaps"))));
  }

  private static boolean dependents(Binding... bindings) {
    return ExportMatch.dependentsMayBeMeant(vmNeedsVpc(), List.of(bindings));
  }

  private static boolean target(String path, Binding... bindings) {
    return ExportMatch.targetMayBeMeant(
        PROTECTION, List.of(bindings), _ -> Optional.of(new WorkspacePath(path)));
  }

  private static Binding bound(String exporter, String export, GroupResource type) {
    return new Binding("b", LogicalCluster.parse(exporter), export, Set.of(type), Set.of());
  }
}
