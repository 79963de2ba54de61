package dev.mooring.sandbox.kcp.workspace.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes.Answer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkspaceTypesTest {
  private final Map<TypeReference, KubeObject> known = new HashMap<>();
  private final WorkspaceTypes types =
      new WorkspaceTypes(reference -> Optional.ofNullable(known.get(reference)));

  private final KubeObject universal =
      type(
          "root",
          "universal",
          """
          {"initializer": true, "defaultAPIBindings": [{"export": "tenancy.kcp.io", "path": "root"}]}
          """);

  @Test
  void looksForATypeUpwardsAndAtLastInRoot() {
    KubeObject special = type("root:org", "special", "{}");

    assertThat(types.resolve(new TypeReference("", "special"), new WorkspacePath("root:org:team")))
        .isEqualTo(new Answer.Known<>(special));
    assertThat(types.resolve(new TypeReference("", "universal"), new WorkspacePath("home:alice")))
        .isEqualTo(new Answer.Known<>(universal));
  }

  @Test
  void takesAPathAtItsWord() {
    assertThat(types.resolve(new TypeReference("root", "nosuch"), WorkspacePath.ROOT))
        .isEqualTo(
            new Answer.Refused<>(
                "Internal error occurred: workspacetypes.tenancy.kcp.io \"root:nosuch\" not"
                    + " found"));
  }

  @Test
  void followsExtendedTypesOnceEach() {
    KubeObject organization = extending("root", "organization", universal);
    KubeObject mine = extending("root:org", "mine", organization, universal);

    assertThat(types.withExtended(mine))
        .isEqualTo(new Answer.Known<>(List.of(organization, universal, mine)));
  }

  @Test
  void looksForExtendedTypesUpwards() {
    KubeObject mine =
        type("root:org", "mine", "{\"extend\": {\"with\": [{\"name\": \"universal\"}]}}");

    assertThat(types.withExtended(mine)).isEqualTo(new Answer.Known<>(List.of(universal, mine)));
  }

  @Test
  void refusesTypesThatExtendEachOther() {
    KubeObject left = extending("root", "left", type("root", "right", "{}"));
    KubeObject right = extending("root", "right", left);

    assertThat(types.withExtended(right))
        .isEqualTo(
            new Answer.Refused<>(
                "circular dependency detected in workspace type root:right: root:right ->"
                    + " root:left"));
  }

  @Test
  void refusesATypeThatExtendsWhatIsMissing() {
    KubeObject mine =
        type(
            "root", "mine", "{\"extend\": {\"with\": [{\"name\": \"gone\", \"path\": \"root\"}]}}");

    assertThat(types.withExtended(mine))
        .isEqualTo(new Answer.Refused<>("unable to find inherited workspace type gone"));
  }

  @Test
  void collectsInitializersAndDefaultBindingsOfAllTypes() {
    KubeObject mine =
        type(
            "root:org",
            "mine",
            """
            {"initializer": true, "defaultAPIBindings": [{"export": "gizmos", "path": "root:org"}]}
            """);

    assertThat(WorkspaceTypes.initializers(List.of(universal, mine)))
        .containsExactly("root:universal", "root-org-cluster:mine", "system:apibindings");
    assertThat(WorkspaceTypes.terminators(List.of(universal, mine))).isEmpty();
  }

  @Test
  void collectsTerminators() {
    KubeObject mine = type("root:org", "mine", "{\"terminator\": true}");

    assertThat(WorkspaceTypes.terminators(List.of(universal, mine)))
        .containsExactly("root-org-cluster:mine");
  }

  @Test
  void looksForADefaultExportWithoutAPathBesideItsType() {
    KubeObject mine =
        type("root:org", "mine", "{\"defaultAPIBindings\": [{\"export\": \"gizmos\"}]}");

    assertThat(WorkspaceTypes.defaultBindings(List.of(mine)))
        .containsExactly(new ExportReference("root-org-cluster", "gizmos"));
  }

  @Test
  void bindsEachDefaultExportOnce() {
    assertThat(WorkspaceTypes.defaultBindings(List.of(universal, universal)))
        .containsExactly(new ExportReference("root", "tenancy.kcp.io"));
  }

  @Test
  void keepsATypeOutOfParentsItDoesNotAllow() {
    KubeObject team =
        type(
            "root",
            "team",
            "{\"limitAllowedParents\": {\"types\": [{\"name\": \"organization\", \"path\":"
                + " \"root\"}]}}");

    assertThat(WorkspaceTypes.placementRefused(List.of(universal), List.of(team)))
        .contains(
            "workspace type root:team only allows [root:organization] parent workspaces, but parent"
                + " type root:universal only implements [root:universal]");
    assertThat(
            WorkspaceTypes.placementRefused(
                List.of(universal, extending("root", "organization", universal)), List.of(team)))
        .isEmpty();
  }

  @Test
  void keepsAParentFreeOfChildrenItDoesNotAllow() {
    KubeObject leaf = type("root", "leaf", "{\"limitAllowedChildren\": {\"none\": true}}");

    assertThat(WorkspaceTypes.placementRefused(List.of(leaf), List.of(universal)))
        .contains("workspace type root:leaf cannot have any child");
  }

  private KubeObject extending(String path, String name, KubeObject... bases) {
    List<Map<String, Object>> with =
        Arrays.stream(bases).map(base -> TypeReference.to(base).tree()).toList();
    return type(path, name, KubeJson.writeText(Map.of("extend", Map.of("with", with))));
  }

  private KubeObject type(String path, String name, String spec) {
    String cluster = path.equals("root") ? "root" : path.replace(':', '-') + "-cluster";
    KubeObject type =
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of(
                    "name",
                    name,
                    "annotations",
                    Map.of(KcpNames.PATH, path, "kcp.io/cluster", cluster)),
                "spec",
                KubeJson.readObject(spec).tree()));
    known.put(new TypeReference(path, name), type);
    return type;
  }
}
