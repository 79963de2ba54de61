package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A kcp of two shards: one provider, and a consumer on each shard. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardsIT {
  private static final String WORKSPACES = "/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces";
  private static final String BINDINGS = "/apis/apis.kcp.io/v1alpha2/apibindings";
  private static final String GIZMOS = "/apis/export.example.io/v1/namespaces/default/gizmos";
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(60);

  private KcpSandbox sandbox;
  private SandboxClient front;
  private final Map<String, Consumer> consumers = new HashMap<>();
  private String provider;

  /** A workspace on one of the shards. */
  private record Consumer(String path, String cluster) {}

  @BeforeAll
  void start(@TempDir Path root) {
    sandbox = KcpSandbox.start(ServerOptions.in(root).withShards(2));
    front = SandboxClient.of(sandbox, "kcp-admin");
    provider = workspace("provider").cluster();
    front.post(cluster(provider) + "/apis/apis.kcp.io/v1alpha1/apiresourceschemas", SCHEMA);
    front.post(cluster(provider) + "/apis/apis.kcp.io/v1alpha2/apiexports", EXPORT);
    // Where a workspace goes is a matter of its cluster's random name.
    for (int i = 0; consumers.size() < 2; i++) {
      Consumer made = workspace("consumer-" + i);
      consumers.putIfAbsent(shardOf(made), made);
    }
    consumers.values().forEach(this::bind);
  }

  @AfterAll
  void stop() {
    sandbox.close();
  }

  private static String cluster(String name) {
    return "/clusters/" + name;
  }

  private Consumer workspace(String name) {
    front.post(
        WORKSPACES,
        Map.of(
            "apiVersion",
            "tenancy.kcp.io/v1alpha1",
            "kind",
            "Workspace",
            "metadata",
            Map.of("name", name),
            "spec",
            Map.of("type", Map.of("name", "universal", "path", "root"))));
    await()
        .atMost(SEEN_WITHIN)
        .untilAsserted(() ->
            assertThat(front.get(WORKSPACES + "/" + name).body().text("status", "phase"))
                .isEqualTo("Ready"));
    KubeObject made = front.get(WORKSPACES + "/" + name).body();
    return new Consumer("root:" + name, made.text("spec", "cluster"));
  }

  private String shardOf(Consumer consumer) {
    return front
        .get(cluster(consumer.cluster()) + "/apis/core.kcp.io/v1alpha1/logicalclusters/cluster")
        .body()
        .annotation("core.kcp.io/shard")
        .orElseThrow();
  }

  private void bind(Consumer consumer) {
    var reference = Map.of("export", Map.of("path", "root:provider", "name", "gizmos"));
    String bindings = cluster(consumer.cluster()) + BINDINGS;
    front.post(
        bindings,
        Map.of(
            "apiVersion",
            "apis.kcp.io/v1alpha2",
            "kind",
            "APIBinding",
            "metadata",
            Map.of("name", "gizmos"),
            "spec",
            Map.of("reference", reference)));
    await()
        .atMost(SEEN_WITHIN)
        .untilAsserted(() ->
            assertThat(front.get(bindings + "/gizmos").body().text("status", "phase"))
                .isEqualTo("Bound"));
  }

  private List<String> endpoints() {
    return front
        .get(cluster(provider) + "/apis/apis.kcp.io/v1alpha1/apiexportendpointslices/gizmos")
        .body()
        .list("status", "endpoints")
        .stream()
        .map(endpoint -> Trees.textOrEmpty(Trees.at(endpoint, "url")))
        .toList();
  }

  private String view(URI shard) {
    return shard + "/services/apiexport/" + provider + "/gizmos";
  }

  private void create(Consumer consumer, String name) {
    assertThat(
            front
                .post(
                    cluster(consumer.cluster()) + GIZMOS,
                    Map.of(
                        "apiVersion", "export.example.io/v1",
                        "kind", "Gizmo",
                        "metadata", Map.of("name", name)))
                .status())
        .isEqualTo(201);
  }

  @Test
  void listsAnEndpointForEachShardWithConsumers() {
    List<String> both =
        List.of(view(sandbox.shards().get("root")), view(sandbox.shards().get("shard-1")));
    awaitEndpoints(both);
    Consumer leaving = consumers.get("shard-1");

    front.delete(cluster(leaving.cluster()) + BINDINGS + "/gizmos");
    awaitEndpoints(both.subList(0, 1));
    bind(leaving);

    awaitEndpoints(both);
  }

  /** In the order in which the shards came to enter theirs. */
  private void awaitEndpoints(List<String> urls) {
    await()
        .atMost(SEEN_WITHIN)
        .untilAsserted(() -> assertThat(endpoints()).containsExactlyInAnyOrderElementsOf(urls));
  }

  @Test
  void showsInAVirtualWorkspaceWhatItsShardHas() {
    consumers.forEach((shard, consumer) -> create(consumer, "mine-" + shard));

    sandbox
        .shards()
        .forEach((shard, url) -> {
          SandboxClient here = front.at(url);
          String all = "/services/apiexport/" + provider + "/gizmos/clusters/*";
          KubeObject list = here.get(all + "/apis/export.example.io/v1/gizmos").body();
          assertThat(list.list("items"))
              .extracting(item -> Trees.at(item, "metadata", "name"))
              .contains("mine-" + shard)
              .allMatch(name -> String.valueOf(name).endsWith(shard));
          try (var events =
              here.watch(
                  all
                      + "/apis/export.example.io/v1/gizmos?watch=true&resourceVersion="
                      + list.text("metadata", "resourceVersion"))) {
            consumers.forEach((name, consumer) -> create(consumer, "after-" + shard + "-" + name));
            assertThat(SandboxClient.brief(events.iterator(), 1))
                .containsExactly("ADDED after-" + shard + "-" + shard);
          }
        });
  }

  @Test
  void everyShardHasSystemAdmin() {
    sandbox
        .shards()
        .values()
        .forEach(url ->
            assertThat(
                    SandboxClient.of(sandbox, "shard-admin")
                        .at(url)
                        .get(
                            cluster("system:admin")
                                + "/apis/rbac.authorization.k8s.io/v1/clusterroles")
                        .status())
                .isEqualTo(200));
  }

  @Test
  void routesAtTheFrontAndServesItsOwnAtAShard() {
    consumers.forEach((shard, consumer) -> {
      String other = shard.equals("root") ? "shard-1" : "root";
      for (String reference : List.of(consumer.cluster(), consumer.path())) {
        String path = cluster(reference) + "/api/v1/namespaces/default";
        assertThat(front.get(path).status()).isEqualTo(200);
        assertThat(front.at(sandbox.shards().get(shard)).get(path).status()).isEqualTo(200);
        // A shard answers 404 for a path of another shard, and 403 for its logical cluster.
        int elsewhere = reference.equals(consumer.cluster()) ? 403 : 404;
        assertThat(front.at(sandbox.shards().get(other)).get(path).status()).isEqualTo(elsewhere);
      }
    });
  }

  /** As at kcp, where only the LogicalCluster that is missing tells it from an empty one. */
  @Test
  void showsMastersAClusterOfAnotherShardUnderItsNameAndWithoutObjects() {
    consumers.forEach((shard, consumer) -> {
      String other = shard.equals("root") ? "shard-1" : "root";
      SandboxClient masters =
          SandboxClient.of(sandbox, "shard-admin").at(sandbox.shards().get(other));
      String here = cluster(consumer.cluster());

      assertThat(masters.get(here + "/api/v1/namespaces").body().list("items")).isEmpty();
      assertThat(masters.get(here + "/apis/core.kcp.io/v1alpha1/logicalclusters/cluster").status())
          .isEqualTo(404);
      assertThat(
              masters
                  .post(here + "/api/v1/namespaces", Map.of("metadata", Map.of("name", "strayed")))
                  .body()
                  .text("message"))
          .contains(consumer.cluster() + " is on another shard");
      assertThat(front.get(here + "/api/v1/namespaces/strayed").status()).isEqualTo(404);
    });
  }

  /** As kcp does; a shard answers 404 for a path, and takes any name for a logical cluster's. */
  @Test
  void refusesAtTheFrontWhatIsOnNoShard() {
    for (String absent : List.of("root:absent", "qqqqqqqqqqqqqqqq", "root:UPPER")) {
      SandboxClient.Answer answer = front.get(cluster(absent) + "/api/v1/namespaces");

      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.body().text("message")).endsWith("workspace access not permitted");
    }
  }

  @Test
  void hasAShardObjectForEachShard() {
    List<Object> shards =
        front.get("/clusters/root/apis/core.kcp.io/v1alpha1/shards").body().list("items");

    assertThat(shards)
        .extracting(shard -> Trees.at(shard, "spec", "virtualWorkspaceURL"))
        .containsExactlyInAnyOrderElementsOf(
            sandbox.shards().values().stream().map(URI::toString).toList());
    assertThat(shards)
        .extracting(shard -> Trees.at(shard, "spec", "externalURL"))
        .containsOnly(sandbox.url().toString());
  }

  @Test
  void refusesShardsThatMakeNoSense(@TempDir Path root) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.in(root).withShards(0))
        .withMessage("there can be 1 to 16 shards, not 0");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> ServerOptions.in(root).withMode(ServerOptions.Mode.KUBERNETES).withShards(2));
  }

  private static final Map<String, Object> SCHEMA =
      Map.of(
          "apiVersion",
          "apis.kcp.io/v1alpha1",
          "kind",
          "APIResourceSchema",
          "metadata",
          Map.of("name", "v1.gizmos.export.example.io"),
          "spec",
          Map.of(
              "group",
              "export.example.io",
              "scope",
              "Namespaced",
              "names",
              Map.of(
                  "plural", "gizmos",
                  "singular", "gizmo",
                  "kind", "Gizmo",
                  "listKind", "GizmoList"),
              "versions",
              List.of(
                  Map.of(
                      "name",
                      "v1",
                      "served",
                      true,
                      "storage",
                      true,
                      "schema",
                      Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true)))));

  private static final Map<String, Object> EXPORT =
      Map.of(
          "apiVersion",
          "apis.kcp.io/v1alpha2",
          "kind",
          "APIExport",
          "metadata",
          Map.of("name", "gizmos"),
          "spec",
          Map.of(
              "resources",
              List.of(
                  Map.of(
                      "group", "export.example.io",
                      "name", "gizmos",
                      "schema", "v1.gizmos.export.example.io",
                      "storage", Map.of("crd", Map.of())))));
}
