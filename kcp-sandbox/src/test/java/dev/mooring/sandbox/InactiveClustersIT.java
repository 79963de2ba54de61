package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logical clusters that an annotation puts to rest. A sandbox of its own: watches of all clusters
 * end as well. Observed on a real kcp.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InactiveClustersIT {
  private static final String WORKSPACES = "/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String OBJECT = "/apis/core.kcp.io/v1alpha1/logicalclusters/cluster";
  private static final String ANNOTATION = "core.kcp.io/inactive";

  private KcpSandbox sandbox;
  private SandboxClient client;

  @BeforeAll
  void start(@TempDir Path root) {
    sandbox = KcpSandbox.start(ServerOptions.in(root));
    client = SandboxClient.of(sandbox, "kcp-admin");
  }

  @AfterAll
  void stop() {
    sandbox.close();
  }

  /** Where the new workspace is, once it is ready. */
  private String workspace(String name) {
    var workspace =
        Map.<String, Object>of(
            "apiVersion", "tenancy.kcp.io/v1alpha1",
            "kind", "Workspace",
            "metadata", Map.of("name", name));
    assertThat(client.post(WORKSPACES, workspace).status()).isEqualTo(201);
    await()
        .untilAsserted(() ->
            assertThat(client.get(WORKSPACES + "/" + name).body().text("status", "phase"))
                .isEqualTo("Ready"));
    return "/clusters/root:" + name;
  }

  private void annotate(String cluster, String annotation, String value) {
    var annotations = new HashMap<String, Object>();
    annotations.put(annotation, value);
    var patch = Map.of("metadata", Map.of("annotations", annotations));
    assertThat(client.patch(cluster + OBJECT, "merge", patch).status()).isEqualTo(200);
  }

  private void awaitPhase(String cluster, String phase) {
    await()
        .untilAsserted(() ->
            assertThat(client.get(cluster + OBJECT).body().text("status", "phase"))
                .isEqualTo(phase));
  }

  @Test
  void serveOnlyTheirObjectAndOpenApi() {
    String cluster = workspace("resting");

    annotate(cluster, ANNOTATION, "true");

    SandboxClient.Answer refused = client.get(cluster + CONFIG_MAPS);
    String name = client.get(cluster + OBJECT).body().annotation("kcp.io/cluster").orElseThrow();
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.message())
        .isEqualTo(
            "logicalclusters.core.kcp.io \"%s\" is forbidden: logical cluster is marked inactive"
                .formatted(name));
    assertThat(client.get(cluster + "/api").status()).isEqualTo(403);
    assertThat(client.get(cluster + "/openapi/v3").status()).isEqualTo(200);
    awaitPhase(cluster, "Inactive");
    KubeObject workspace = client.get(WORKSPACES + "/resting").body();
    assertThat(workspace.text("status", "phase")).isEqualTo("Ready");

    annotate(cluster, ANNOTATION, null);

    awaitPhase(cluster, "Ready");
    assertThat(client.get(cluster + CONFIG_MAPS).status()).isEqualTo(200);
  }

  @Test
  void heedTheFormerNameOfTheAnnotationAndNoOtherValue() {
    String cluster = workspace("former");

    annotate(cluster, ANNOTATION, "false");
    assertThat(client.get(cluster + CONFIG_MAPS).status()).isEqualTo(200);

    annotate(cluster, "internal.kcp.io/inactive", "true");
    assertThat(client.get(cluster + CONFIG_MAPS).status()).isEqualTo(403);
  }

  @Test
  void endTheirWatchesAndThoseOfAllClusters() {
    String cluster = workspace("watched");
    SandboxClient masters = SandboxClient.of(sandbox, "shard-admin");
    try (Stream<KubeObject> own = client.watch(cluster + CONFIG_MAPS + "?watch=true");
        Stream<KubeObject> all = masters.watch("/clusters/*/api/v1/configmaps?watch=true");
        Stream<KubeObject> others =
            client.watch("/clusters/root" + CONFIG_MAPS + "?watch=true&timeoutSeconds=5")) {
      annotate(cluster, ANNOTATION, "true");

      // Each is over when the stream is: a watch that goes on lasts half an hour.
      assertThat(own.toList()).isNotEmpty();
      assertThat(all.toList()).isNotEmpty();
      annotate(cluster, ANNOTATION, null);
      awaitPhase(cluster, "Ready");
      assertThat(client.post("/clusters/root" + CONFIG_MAPS, configMap()).status()).isEqualTo(201);
      assertThat(others.map(event -> event.text("object", "metadata", "name")).toList())
          .contains("after");
    }
  }

  private static Map<String, Object> configMap() {
    return Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", "after"));
  }
}
