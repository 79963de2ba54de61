package dev.mooring.depwebhook.eligibility;

import static dev.mooring.depwebhook.Fixtures.CONSUMER;
import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.eligibility.decide.BindingQuery;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BindingReaderTest {
  private static final GroupResource CONFIG_MAPS =
      GroupResource.of(ResourceType.core("configmaps"));
  private static final BindingQuery MACHINES_BINDING =
      new BindingQuery.Bound(GroupResource.of(MACHINES));
  private static final BindingQuery VPCS_BINDING = new BindingQuery.Bound(GroupResource.of(VPCS));
  private static final BindingQuery CLAIM =
      new BindingQuery.Claimed(CONFIG_MAPS, new LogicalCluster("compute1"), "compute");
  private static final String LIST = "list " + Binding.TYPE + " in '' after ''";

  private final KubeObject network = binding("network", "network1", VPCS);
  private final KubeObject compute = binding("compute", "compute1", MACHINES);
  private final FakeWorkspace workspace =
      new FakeWorkspace().serves(Binding.TYPE, Scope.CLUSTER, network, compute);
  private final BindingReader bindings = new BindingReader();

  @Test
  void listsThemOnceAndThenReadsThoseThatWereSoughtByName() {
    explaining(MACHINES_BINDING, VPCS_BINDING);
    assertThat(workspace.requests).containsExactly(LIST);
    workspace.requests.clear();

    assertThat(explaining(MACHINES_BINDING, VPCS_BINDING))
        .containsExactlyInAnyOrder(Binding.of(compute), Binding.of(network));

    assertThat(workspace.requests).containsExactlyInAnyOrder(get("compute"), get("network"));
  }

  @Test
  void readsABindingOnceThatExplainsBoth() {
    workspace.serves(Binding.TYPE, Scope.CLUSTER, binding("both", "one1", VPCS, MACHINES));
    explaining(MACHINES_BINDING, VPCS_BINDING);
    workspace.requests.clear();

    assertThat(explaining(MACHINES_BINDING, VPCS_BINDING)).hasSize(1);

    assertThat(workspace.requests).containsExactly(get("both"));
  }

  @Test
  void listsThemAgainWhereWhatIsRememberedIsGone() {
    explaining(MACHINES_BINDING);
    KubeObject anew = binding("anew", "compute2", MACHINES);
    workspace.serves(Binding.TYPE, Scope.CLUSTER, network, anew);
    workspace.requests.clear();

    assertThat(explaining(MACHINES_BINDING)).contains(Binding.of(anew));

    assertThat(workspace.requests).containsExactly(get("compute"), LIST);
  }

  @Test
  void listsThemAgainWhereWhatIsRememberedExplainsItNoMore() {
    explaining(MACHINES_BINDING);
    workspace.serves(
        Binding.TYPE, Scope.CLUSTER, network, binding("compute", "compute1"), compute("other"));
    workspace.requests.clear();

    assertThat(explaining(MACHINES_BINDING)).extracting(Binding::name).contains("other");

    assertThat(workspace.requests).containsExactly(get("compute"), LIST);
  }

  @Test
  void remembersWhoseClaimABindingAccepts() {
    KubeObject claiming =
        compute("compute")
            .with(
                List.of(Map.of("group", "", "resource", "configmaps", "state", "Accepted")),
                "spec",
                "permissionClaims");
    workspace.serves(Binding.TYPE, Scope.CLUSTER, network, claiming);
    explaining(CLAIM, VPCS_BINDING);
    workspace.requests.clear();

    explaining(CLAIM, VPCS_BINDING);
    assertThat(workspace.requests).containsExactlyInAnyOrder(get("compute"), get("network"));

    workspace.serves(Binding.TYPE, Scope.CLUSTER, network, compute);
    explaining(CLAIM, VPCS_BINDING);
    assertThat(workspace.requests).endsWith(LIST);
  }

  @Test
  void takesNoOtherExportsClaimForTheOneThatWasSought() {
    KubeObject claiming =
        binding("compute", "elsewhere", MACHINES)
            .with(
                List.of(Map.of("group", "", "resource", "configmaps", "state", "Accepted")),
                "spec",
                "permissionClaims");
    workspace.serves(Binding.TYPE, Scope.CLUSTER, claiming);
    explaining(CLAIM);
    workspace.requests.clear();

    explaining(CLAIM);

    assertThat(workspace.requests).containsExactly(LIST);
  }

  private List<Binding> explaining(BindingQuery... sought) {
    return bindings.explaining(workspace, CONSUMER, List.of(sought));
  }

  private static String get(String name) {
    return "get " + Binding.TYPE + " /" + name;
  }

  private static KubeObject compute(String name) {
    return binding(name, "compute1", MACHINES)
        .with("compute", "spec", "reference", "export", "name");
  }

  /** Of an export of the binding's name. */
  private static KubeObject binding(String name, String exporter, ResourceType... bound) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", name),
            "spec",
            Map.of("reference", Map.of("export", Map.of("name", name))),
            "status",
            Map.of(
                "apiExportClusterName",
                exporter,
                "boundResources",
                List.of(bound).stream()
                    .map(type -> Map.of("group", type.group(), "resource", type.resource()))
                    .toList())));
  }
}
