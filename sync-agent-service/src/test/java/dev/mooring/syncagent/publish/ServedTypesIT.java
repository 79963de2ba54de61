package dev.mooring.syncagent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Built-in types of a plain Kubernetes API server, as the sandbox serves them. */
class ServedTypesIT {
  @TempDir private static Path directory;
  private static KubeSandbox sandbox;
  private static KubeConnection connection;
  private static ServedTypes types;

  @BeforeAll
  static void starts() {
    sandbox = KubeSandbox.start(KubeOptions.in(directory));
    connection =
        KubeConnection.fromKubeconfig(sandbox.kubeconfigFile(), ConnectionOptions.of("test"));
    types = new ServedTypes(connection.client());
  }

  @AfterAll
  static void stops() {
    connection.close();
    sandbox.close();
  }

  @Test
  void findsRolesWithTheirNames() {
    KubeObject role = types.find("rbac.authorization.k8s.io", "Role").orElseThrow();

    assertThat(versions(role)).containsExactly("v1");
    assertThat(role.map("spec", "names"))
        .containsEntry("plural", "roles")
        .containsEntry("singular", "role")
        .containsEntry("kind", "Role")
        .containsEntry("listKind", "RoleList");
    assertThat(
            Trees.at(
                role.list("spec", "versions").getFirst(),
                "schema",
                "openAPIV3Schema",
                "properties",
                "rules",
                "items",
                "properties",
                "verbs",
                "type"))
        .isEqualTo("array");
  }

  @Test
  void findsBothVersionsOfAutoscalersWithCategoriesAndStatus() {
    KubeObject autoscaler = types.find("autoscaling", "HorizontalPodAutoscaler").orElseThrow();

    assertThat(versions(autoscaler)).containsExactly("v1", "v2");
    assertThat(autoscaler.map("spec", "names"))
        .containsEntry("plural", "horizontalpodautoscalers")
        .containsEntry("singular", "horizontalpodautoscaler")
        .containsEntry("listKind", "HorizontalPodAutoscalerList")
        .containsEntry("shortNames", List.of("hpa"))
        .containsEntry("categories", List.of("all"));
    assertThat(autoscaler.list("spec", "versions"))
        .allSatisfy(version ->
            assertThat(Trees.at(version, "subresources")).isEqualTo(Map.of("status", Map.of())));
  }

  @Test
  void findsTypesOfTheCoreGroup() {
    KubeObject configMap = types.find("", "ConfigMap").orElseThrow();

    assertThat(configMap.name()).isEqualTo("configmaps.core");
    assertThat(versions(configMap)).containsExactly("v1");
  }

  @Test
  void saysThatThereIsNoSuchKindOrGroup() {
    assertThat(types.find("rbac.authorization.k8s.io", "Nothing")).isEmpty();
    assertThat(types.find("nowhere.example.io", "Thing")).isEmpty();
  }

  private static List<Object> versions(KubeObject definition) {
    return definition.list("spec", "versions").stream()
        .map(version -> Trees.at(version, "name"))
        .toList();
  }
}
