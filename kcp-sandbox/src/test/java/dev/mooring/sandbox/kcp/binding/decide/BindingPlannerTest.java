package dev.mooring.sandbox.kcp.binding.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BindingPlannerTest {
  private static final String NOW = "2026-11-21T10:00:00Z";
  private static final String LABEL = "claimed.internal.apis.kcp.io/hash";
  private static final int STEPS_MAX = 10;

  private static final KubeObject FRESH =
      KubeJson.readObject(
          """
          {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIBinding", "metadata": {"name": "b"},
           "spec": {"reference": {"export": {"path": "root:provider", "name": "gizmos"}}}}
          """);
  private static final KubeObject EXPORT =
      KubeJson.readObject(
          """
          {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIExport",
           "metadata": {"name": "gizmos", "annotations": {"kcp.io/cluster": "provider1"}},
           "spec": {"resources": [{"group": "example.io", "name": "gizmos",
             "schema": "v1.gizmos.example.io", "storage": {"crd": {}}}]},
           "status": {"identityHash": "abc"}}
          """);
  private static final KubeObject SCHEMA = schema("v1.gizmos.example.io", "s1", "v1");
  private static final KubeObject CLUSTER =
      KubeJson.readObject(
          """
          {"apiVersion": "core.kcp.io/v1alpha1", "kind": "LogicalCluster", "metadata": {
            "name": "cluster", "annotations": {"internal.apis.kcp.io/resource-bindings": "{}"}}}
          """);

  private KubeObject binding = FRESH;
  private KubeObject cluster = CLUSTER;
  private Optional<KubeObject> export = Optional.of(EXPORT);
  private Map<String, KubeObject> schemas = Map.of(SCHEMA.name(), SCHEMA);
  private List<NamesInUse> others = List.of();

  private static KubeObject schema(String name, String uid, String version) {
    return KubeJson.readObject(
        """
        {"apiVersion": "apis.kcp.io/v1alpha1", "kind": "APIResourceSchema",
         "metadata": {"name": "%s", "uid": "%s"},
         "spec": {"group": "example.io",
           "names": {"plural": "gizmos", "singular": "gizmo", "kind": "Gizmo", "listKind": "GizmoList"},
           "versions": [{"name": "%s", "served": true, "storage": true}]}}
        """
            .formatted(name, uid, version));
  }

  private BindingStep next() {
    return BindingPlanner.next(
        new BindingPlanner.Facts(
            binding,
            export,
            "root:provider",
            LABEL,
            "all",
            schemas,
            cluster,
            others,
            Set.of(),
            NOW));
  }

  /** Carries out steps until none is left; how many writes that took. */
  private int settle() {
    for (int writes = 0; writes < STEPS_MAX; writes++) {
      switch (next()) {
        case BindingStep.Update(KubeObject after) -> binding = after;
        case BindingStep.UpdateStatus(KubeObject after, var _) -> binding = after;
        case BindingStep.Lock(KubeObject after) -> cluster = after;
        case BindingStep.Await() -> {
          return writes;
        }
      }
    }
    throw new AssertionError("does not settle: " + binding);
  }

  private String reason(String type) {
    return text(type, "reason");
  }

  private String text(String type, String field) {
    return binding.list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, field)))
        .findFirst()
        .orElse("no such condition");
  }

  @Test
  void takesPhaseThenLabelThenLockThenResources() {
    assertThat(next()).isInstanceOf(BindingStep.UpdateStatus.class);
    binding = ((BindingStep.UpdateStatus) next()).binding();
    assertThat(binding.text("status", "phase")).isEqualTo("Binding");
    assertThat(next()).isInstanceOf(BindingStep.Update.class);
    binding = ((BindingStep.Update) next()).binding();
    assertThat(binding.labels()).containsEntry(LABEL, "all");
    assertThat(next()).isInstanceOf(BindingStep.Lock.class);

    settle();

    assertThat(binding.text("status", "phase")).isEqualTo("Bound");
    assertThat(binding.text("status", "apiExportClusterName")).isEqualTo("provider1");
    assertThat(ResourceLocks.in(cluster).ownerOf("gizmos.example.io")).contains("b");
    assertThat(BindingPlanner.boundResources(binding)).containsOnlyKeys("gizmos.example.io");
    assertThat(binding.hasCondition(Conditions.READY)).isTrue();
  }

  @Test
  void writesNothingOnceItIsBound() {
    settle();

    assertThat(settle()).isZero();
  }

  @Test
  void saysThatThereIsNoExportAndBindsOnceThereIsOne() {
    export = Optional.empty();
    settle();

    assertThat(reason(Conditions.EXPORT_VALID)).isEqualTo("APIExportNotFound");
    assertThat(binding.text("status", "phase")).isEqualTo("Binding");

    export = Optional.of(EXPORT);
    settle();

    assertThat(binding.text("status", "phase")).isEqualTo("Bound");
    assertThat(binding.hasCondition(Conditions.EXPORT_VALID)).isTrue();
  }

  @Test
  void waitsForTheExportsIdentityWithoutALock() {
    export = Optional.of(EXPORT.without("status", "identityHash"));
    settle();

    assertThat(reason(Conditions.EXPORT_VALID)).isEqualTo("MissingIdentityHash");
    assertThat(cluster).isEqualTo(CLUSTER);
  }

  @Test
  void namesASchemaThatIsMissing() {
    schemas = Map.of();
    settle();

    assertThat(reason(Conditions.EXPORT_VALID)).isEqualTo("InternalError");
    assertThat(BindingPlanner.boundResources(binding)).isEmpty();
    assertThat(cluster).isEqualTo(CLUSTER);
  }

  @Test
  void leavesAResourceThatAnotherBindingHasLocked() {
    cluster = ResourceLocks.taken(CLUSTER, List.of("gizmos.example.io"), "other");
    settle();

    assertThat(reason(BindingPlanner.UP_TO_DATE)).isEqualTo("NamingConflicts");
    assertThat(reason(BindingPlanner.INITIAL)).isEqualTo("NamingConflicts");
    assertThat(binding.text("status", "phase")).isEqualTo("Binding");

    cluster = CLUSTER;
    settle();

    assertThat(binding.text("status", "phase")).isEqualTo("Bound");
  }

  @Test
  void locksANameThatACrdServesAndSaysNoMore() {
    others =
        List.of(
            NamesInUse.ofCrd(
                KubeJson.readObject(
                    """
                    {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                     "metadata": {"name": "gizmos.example.io"},
                     "spec": {"group": "example.io", "names": {"plural": "gizmos", "kind": "Gizmo"}}}
                    """)));
    settle();

    assertThat(reason(BindingPlanner.UP_TO_DATE)).isEqualTo("NamingConflicts");
    assertThat(binding.hasCondition(Conditions.EXPORT_VALID)).isFalse();
    assertThat(reason(Conditions.READY)).isEqualTo("no such condition");
    assertThat(cluster).isEqualTo(ResourceLocks.taken(CLUSTER, List.of("gizmos.example.io"), "b"));
  }

  @Test
  void leavesAResourceThatIsKeptForACrd() {
    cluster = ResourceLocks.takenByCrds(CLUSTER, List.of("gizmos.example.io"));
    settle();

    assertThat(text(BindingPlanner.UP_TO_DATE, "message"))
        .isEqualTo(
            "Unable to bind APIs because they are bound by other APIBindings or CRDs:"
                + " map[gizmos.example.io:{ true}]");
  }

  @Test
  void followsTheExportToANewSchemaAndRemembersEveryStoredVersion() {
    settle();
    KubeObject newer = schema("v2.gizmos.example.io", "s2", "v2");
    schemas = Map.of(newer.name(), newer);
    export =
        Optional.of(
            KubeJson.readObject(
                KubeJson.writeText(EXPORT.tree()).replace("v1.gizmos", "v2.gizmos")));
    settle();

    Map<String, Object> bound = BindingPlanner.boundResources(binding).get("gizmos.example.io");
    assertThat(Trees.at(bound, "schema", "UID")).isEqualTo("s2");
    assertThat(Trees.listOrEmpty(bound.get("storageVersions"))).containsExactly("v1", "v2");
  }

  @Test
  void staysBoundWhenTheExportGoes() {
    settle();
    export = Optional.empty();
    settle();

    assertThat(binding.text("status", "phase")).isEqualTo("Bound");
    assertThat(BindingPlanner.boundResources(binding)).isNotEmpty();
    assertThat(reason(Conditions.EXPORT_VALID)).isEqualTo("APIExportNotFound");
  }
}
