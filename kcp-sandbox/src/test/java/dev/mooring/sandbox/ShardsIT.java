package dev.mooring.sandbox;

import static dev.mooring.sandbox.ShardedTenants.BINDINGS;
import static dev.mooring.sandbox.ShardedTenants.GIZMOS;
import static dev.mooring.sandbox.ShardedTenants.SLICES;
import static dev.mooring.sandbox.ShardedTenants.WORKSPACES;
import static dev.mooring.sandbox.ShardedTenants.eventually;
import static dev.mooring.sandbox.ShardedTenants.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.ShardedTenants.Tenant;
import dev.mooring.sandbox.crd.Definitions;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ClientIdentity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A kcp of two shards: a provider on the shard root, and a consumer on each. Every answer was
 * observed on a kcp 0.32.3 of two shards, with cache server and front proxy.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardsIT {
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final String EXPORTS = "/apis/apis.kcp.io/v1alpha2/apiexports";
  private static final String ALL_GIZMOS = "/apis/export.example.io/v1/gizmos";

  private HttpsServer elsewhere;
  private KcpSandbox sandbox;
  private ShardedTenants tenants;
  private SandboxClient front;
  private Tenant provider;
  private Map<String, Tenant> consumers;

  @BeforeAll
  void start(@TempDir Path root) throws Exception {
    elsewhere = echo(root);
    sandbox =
        KcpSandbox.start(
            new ServerOptions(
                KubeOptions.in(root),
                List.of("system:authenticated"),
                2,
                Optional.of(mappings(root, elsewhere))));
    tenants = new ShardedTenants(sandbox);
    front = tenants.front;
    provider = tenants.workspace("provider", "root");
    tenants.export(provider);
    consumers =
        Map.of(
            "root", tenants.workspace("consumer-root", "root"),
            "shard-1", tenants.workspace("consumer-1", "shard-1"));
    consumers.values().forEach(consumer -> tenants.bind(consumer, provider));
  }

  @AfterAll
  void stop() {
    sandbox.close();
    elsewhere.stop(0);
  }

  /** Answers with the path and the headers of a request, and the certificate of its client. */
  private static HttpsServer echo(Path root) throws IOException, GeneralSecurityException {
    HttpsServer server = JsonServer.listening(CertificateAuthority.in(root, Instant.now()));
    server.createContext(
        "/",
        exchange -> {
          var seen = new HashMap<String, Object>(exchange.getRequestHeaders());
          seen.put("path", exchange.getRequestURI().toString());
          seen.put(
              "client", ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName());
          byte[] answer = KubeJson.write(seen);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static Path mappings(Path root, HttpsServer elsewhere) throws IOException {
    ClientIdentity proxy =
        CertificateAuthority.in(root, Instant.now())
            .clientIdentity("proxy", List.of(), Instant.now());
    Files.writeString(root.resolve("proxy.crt"), proxy.certificatePem());
    Files.writeString(root.resolve("proxy.key"), proxy.keyPem());
    String backend =
        """
          backend: https://localhost:%s/base
          backend_server_ca: %2$s/ca.crt
          proxy_client_cert: %2$s/proxy.crt
          proxy_client_key: %2$s/proxy.key
        """
            .formatted(elsewhere.getAddress().getPort(), root);
    return Files.writeString(
        root.resolve("mappings.yaml"),
        """
        - path: /clusters/
        %1$s
        - path: /own/clusters/{cluster}/
        %1$s
        - path: /services/own
          user_header: X-User
        %1$s
        """
            .formatted(backend));
  }

  private static String other(String shard) {
    return shard.equals("root") ? "shard-1" : "root";
  }

  private String identity(Tenant owner, String export) {
    return front.get(owner.at(EXPORTS + "/" + export)).body().text("status", "identityHash");
  }

  @Test
  void versionsOfShardsAreUnrelated() {
    Tenant here = consumers.get("root");
    String configMaps = "/api/v1/namespaces/default/configmaps";
    long before = version(front.get(here.at(configMaps)).body());
    Tenant there = consumers.get("shard-1");
    long thereBefore = version(front.get(there.at(configMaps)).body());

    for (int i = 0; i < 20; i++) {
      front.post(there.at(configMaps), Map.of("metadata", Map.of("name", "counted-" + i)));
    }

    assertThat(version(front.get(there.at(configMaps)).body()))
        .isGreaterThanOrEqualTo(thereBefore + 20);
    assertThat(version(front.get(here.at(configMaps)).body())).isLessThan(before + 20);
  }

  private static long version(KubeObject list) {
    return Long.parseLong(list.text("metadata", "resourceVersion"));
  }

  @Test
  void everyClusterHoldsItsLogicalClusterWithShardAndPath() {
    consumers.forEach((shard, consumer) -> {
      KubeObject cluster =
          front.get(consumer.at("/apis/core.kcp.io/v1alpha1/logicalclusters/cluster")).body();

      assertThat(cluster.annotation("core.kcp.io/shard")).contains(shard);
      assertThat(cluster.annotation("kcp.io/path")).contains(consumer.path());
      assertThat(cluster.text("spec", "owner", "cluster")).isEqualTo("root");
      assertThat(cluster.text("status", "phase")).isEqualTo("Ready");
      KubeObject workspace =
          front
              .get(
                  "/clusters/root" + WORKSPACES + "/" + consumer.path().substring("root:".length()))
              .body();
      assertThat(workspace.annotation("core.kcp.io/shard")).contains(shard);
      assertThat(workspace.text("spec", "URL"))
          .isEqualTo(sandbox.url() + "/clusters/" + consumer.path());
    });
  }

  @Test
  void hasAShardObjectForEachShard() {
    List<Object> shards =
        front.get("/clusters/root/apis/core.kcp.io/v1alpha1/shards").body().list("items");

    assertThat(shards)
        .extracting(shard -> Trees.at(shard, "metadata", "name"))
        .containsExactly("root", "shard-1");
    for (String field : List.of("baseURL", "virtualWorkspaceURL")) {
      assertThat(shards)
          .extracting(shard -> Trees.at(shard, "spec", field))
          .containsExactlyElementsOf(
              sandbox.shards().values().stream().map(URI::toString).toList());
    }
    assertThat(shards)
        .extracting(shard -> Trees.at(shard, "spec", "externalURL"))
        .containsOnly(sandbox.url().toString());
    assertThat(shards)
        .extracting(shard -> Trees.at(shard, "metadata", "labels", "name"))
        .containsExactly("root", "shard-1");
  }

  @Test
  void aWorkspaceThatNoShardMayHaveIsUnavailable() {
    front.post("/clusters/root" + WORKSPACES, ShardedTenants.workspaceObject("nowhere", "none"));

    eventually(() -> {
      KubeObject workspace = front.get("/clusters/root" + WORKSPACES + "/nowhere").body();
      assertThat(workspace.text("status", "phase")).isEqualTo("Unavailable");
      assertThat(workspace.labels()).containsEntry("tenancy.kcp.io/phase", "Unavailable");
      assertThat(Trees.at(workspace.list("status", "conditions").getFirst(), "message"))
          .isEqualTo("No available shards to schedule the workspace");
    });

    front.patch(
        "/clusters/root/apis/core.kcp.io/v1alpha1/shards/shard-1",
        "merge",
        Map.of("metadata", Map.of("labels", Map.of("name", "none"))));
    try {
      tenants.ready("root", "nowhere");
    } finally {
      front.patch(
          "/clusters/root/apis/core.kcp.io/v1alpha1/shards/shard-1",
          "merge",
          Map.of("metadata", Map.of("labels", Map.of("name", "shard-1"))));
    }
  }

  @Test
  void routesEveryPathAtTheFront() {
    Tenant parent = consumers.get("shard-1");
    Tenant kid = tenants.workspace(parent.path(), "kid", "root");

    for (String path : List.of(kid.path(), kid.cluster(), parent.cluster() + ":kid")) {
      assertThat(front.get("/clusters/" + path + NAMESPACES + "/default").status()).isEqualTo(200);
    }
    // A shard walks a path as far as it has the workspaces, and the Workspace kid is on shard-1.
    for (String shard : sandbox.shards().keySet()) {
      for (String path : List.of(kid.path(), parent.cluster() + ":kid", parent.path())) {
        if (shard.equals("root") || path.startsWith("root:")) {
          SandboxClient.Answer answer =
              tenants.at(shard).get("/clusters/" + path + NAMESPACES + "/default");
          assertThat(answer.status()).isEqualTo(404);
          assertThat(answer.message())
              .isEqualTo("workspaces.tenancy.kcp.io \"" + path + "\" not found");
        }
      }
    }
  }

  @Test
  void aShardServesTheClustersThatItHasUnderTheirNames() {
    consumers.forEach((shard, consumer) -> {
      String path = consumer.at(NAMESPACES + "/default");
      assertThat(tenants.at(shard).get(path).status()).isEqualTo(200);
      assertThat(tenants.at(other(shard)).get(path).status()).isEqualTo(403);
    });
  }

  /** As at kcp, where only the LogicalCluster that is missing tells it from an empty one. */
  @Test
  void showsMastersAClusterOfAnotherShardWithoutObjects() {
    consumers.forEach((shard, consumer) -> {
      SandboxClient masters = tenants.mastersAt(other(shard));

      assertThat(names(masters.get(consumer.at(NAMESPACES)).body())).doesNotContain("default");
      assertThat(
              masters
                  .get(consumer.at("/apis/core.kcp.io/v1alpha1/logicalclusters/cluster"))
                  .status())
          .isEqualTo(404);
      assertThat(masters.get(consumer.at(GIZMOS)).status()).isEqualTo(404);
      // What they create there is that shard's, and of no use.
      assertThat(
              masters
                  .post(consumer.at(NAMESPACES), Map.of("metadata", Map.of("name", "strayed")))
                  .status())
          .isEqualTo(201);
      assertThat(front.get(consumer.at(NAMESPACES + "/strayed")).status()).isEqualTo(404);
      masters.delete(consumer.at(NAMESPACES + "/strayed"));
    });
  }

  @Test
  void refusesAtTheFrontWhatIsOnNoShard() {
    SandboxClient masters = SandboxClient.of(sandbox, "shard-admin");
    for (String absent :
        List.of("root:absent", "qqqqqqqqqqqqqqqq", "root:UPPER", "*", "system:admin")) {
      for (SandboxClient user : List.of(front, masters)) {
        SandboxClient.Answer answer = user.get("/clusters/" + absent + NAMESPACES);

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.message())
            .isEqualTo(
                "forbidden: User \"\" cannot get path \"/clusters/"
                    + absent
                    + "/api/v1/namespaces\": workspace access not permitted");
      }
    }
  }

  @Test
  void theFrontServesNothingButClustersAndHealth() {
    for (String path :
        List.of("/", "/api", "/version", "/healthz", view() + "/clusters/*" + ALL_GIZMOS)) {
      assertThat(front.get(path).status()).as(path).isEqualTo(404);
    }
    assertThat(front.get("/readyz").status()).isEqualTo(200);
    assertThat(front.get("/livez").status()).isEqualTo(200);
  }

  private String view() {
    return "/services/apiexport/" + provider.cluster() + "/gizmos";
  }

  @Test
  void aMappedPathLeadsToAServerOfOnesOwn() {
    KubeObject seen =
        front.get("/own/clusters/root/api?limit=1", "X-Remote-Group", "system:masters").body();

    assertThat(seen.text("path")).isEqualTo("/base/own/clusters/root/api?limit=1");
    assertThat(seen.text("client")).isEqualTo("CN=proxy");
    assertThat(seen.list("X-remote-user")).containsExactly("kcp-admin");
    assertThat(seen.list("X-remote-group"))
        .containsExactly("system:authenticated", "system:kcp:admin");
    assertThat(seen.list("Authorization")).isEmpty();
    assertThat(front.get("/services/own/x").body().list("X-user")).containsExactly("kcp-admin");
    assertThat(front.get("/own/clusters/root:absent/api").status()).isEqualTo(403);
    assertThat(front.anonymous().get("/own/clusters/root/api").status()).isEqualTo(401);
    assertThat(front.get("/services/other").status()).isEqualTo(404);
  }

  /** kcp's front proxy drops the groups that would pass every check at a shard. */
  @Test
  void mastersAreOrdinaryUsersAtTheFront() {
    SandboxClient.Answer answer =
        SandboxClient.of(sandbox, "shard-admin").get(provider.at(NAMESPACES));

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.message()).contains("User \"shard-admin\" cannot list");
  }

  @Test
  void everyShardHasASystemAdminOfItsOwn() {
    String roles = "/clusters/system:admin/apis/rbac.authorization.k8s.io/v1/clusterroles";
    tenants
        .mastersAt("shard-1")
        .post(roles, Map.of("metadata", Map.of("name", "only-here"), "rules", List.of()));

    assertThat(tenants.mastersAt("shard-1").get(roles + "/only-here").status()).isEqualTo(200);
    assertThat(tenants.mastersAt("root").get(roles + "/only-here").status()).isEqualTo(404);
  }

  @Test
  void servesWildcardRequestsOfMastersPerShard() {
    consumers.forEach((shard, consumer) -> tenants.gizmo(consumer, "wild-" + shard));
    String wild = "/clusters/*/apis/export.example.io/v1/gizmos:" + identity(provider, "gizmos");

    for (String shard : sandbox.shards().keySet()) {
      assertThat(names(tenants.mastersAt(shard).get(wild).body()))
          .contains("wild-" + shard)
          .doesNotContain("wild-" + other(shard));
      assertThat(tenants.at(shard).get(wild).status()).isEqualTo(403);
      assertThat(
              tenants.mastersAt(shard).get("/clusters/*/apis/export.example.io/v1/gizmos").status())
          .isEqualTo(404);
    }
  }

  @Test
  void everyShardKnowsTheIdentitiesOfRoot() {
    String tenancy =
        front
            .get("/clusters/root/apis/apis.kcp.io/v1alpha2/apiexports/tenancy.kcp.io")
            .body()
            .text("status", "identityHash");
    tenants.workspace(consumers.get("shard-1").path(), "known", "shard-1");

    eventually(() ->
        assertThat(
                names(
                    tenants
                        .mastersAt("shard-1")
                        .get("/clusters/*/apis/tenancy.kcp.io/v1alpha1/workspaces:" + tenancy)
                        .body()))
            .contains("known"));
  }

  @Test
  void everyShardEntersItsUrlAsLongAsItHasConsumers() {
    List<String> both = List.of(tenants.view("root", provider), tenants.view("shard-1", provider));
    awaitEndpoints(provider, "gizmos", both);
    Tenant leaving = consumers.get("shard-1");

    front.delete(leaving.at(BINDINGS + "/gizmos"));
    awaitEndpoints(provider, "gizmos", both.subList(0, 1));
    tenants.bind(leaving, provider);

    awaitEndpoints(provider, "gizmos", both);
  }

  /** In the order in which the shards came to enter theirs. */
  private void awaitEndpoints(Tenant workspace, String slice, List<String> urls) {
    eventually(() ->
        assertThat(tenants.endpoints(workspace, slice)).containsExactlyInAnyOrderElementsOf(urls));
  }

  /** As in kcp's own test: no workspace of the consumer's shard has bound the claimed type. */
  @Test
  void aClaimOfATypeThatOnlyAnotherShardExportsIsApplied() {
    Tenant owner = tenants.workspace("quiet", "root");
    front.post(
        owner.at("/apis/apis.kcp.io/v1alpha1/apiresourceschemas"),
        Definitions.object(
            """
            apiVersion: apis.kcp.io/v1alpha1
            kind: APIResourceSchema
            metadata: {name: v1.quiets.quiet.example.io}
            spec:
              group: quiet.example.io
              scope: Namespaced
              names: {plural: quiets, singular: quiet, kind: Quiet, listKind: QuietList}
              versions: [{name: v1, served: true, storage: true, schema: {type: object}}]
            """));
    front.post(
        owner.at(EXPORTS),
        Definitions.object(
            """
            apiVersion: apis.kcp.io/v1alpha2
            kind: APIExport
            metadata: {name: quiets}
            spec:
              resources:
              - {group: quiet.example.io, name: quiets, schema: v1.quiets.quiet.example.io, storage: {crd: {}}}
            """));
    eventually(() -> assertThat(identity(owner, "quiets")).isNotEmpty());
    String claim =
        "{group: quiet.example.io, resource: quiets, identityHash: %s, verbs: [get]"
            .formatted(identity(owner, "quiets"));
    front.post(
        owner.at(EXPORTS),
        Definitions.object(
            """
            apiVersion: apis.kcp.io/v1alpha2
            kind: APIExport
            metadata: {name: claiming}
            spec: {permissionClaims: [%s}]}
            """
                .formatted(claim)));
    Tenant consumer = tenants.workspace("claimed", "shard-1");
    KubeObject binding =
        Definitions.object(
            """
            apiVersion: apis.kcp.io/v1alpha2
            kind: APIBinding
            metadata: {name: claiming}
            spec:
              reference: {export: {path: "%s", name: claiming}}
              permissionClaims: [%s, state: Accepted, selector: {matchAll: true}}]
            """
                .formatted(owner.path(), claim));

    eventually(
        () -> assertThat(front.post(consumer.at(BINDINGS), binding).status()).isIn(201, 409));

    eventually(() ->
        assertThat(
                front
                    .get(consumer.at(BINDINGS + "/claiming"))
                    .body()
                    .hasCondition("PermissionClaimsApplied"))
            .isTrue());
  }

  @Test
  void aSliceOnAnotherShardHasTheUrlsAsWell() {
    Tenant elsewhere = consumers.get("shard-1");
    front.post(
        elsewhere.at(SLICES),
        slice("elsewhere", Map.of("name", "gizmos", "path", provider.path())));

    awaitEndpoints(
        elsewhere,
        "elsewhere",
        List.of(tenants.view("root", provider), tenants.view("shard-1", provider)));
  }

  @Test
  void aPartitionSelectsTheShardsOfASlice() {
    front.post(
        provider.at("/apis/topology.kcp.io/v1alpha1/partitions"),
        Map.of(
            "apiVersion",
            "topology.kcp.io/v1alpha1",
            "kind",
            "Partition",
            "metadata",
            Map.of("name", "one"),
            "spec",
            Map.of("selector", Map.of("matchLabels", Map.of("name", "shard-1")))));
    front.post(
        provider.at(SLICES), slice("parted", Map.of("name", "gizmos"), Map.of("partition", "one")));
    front.post(
        provider.at(SLICES),
        slice("lost", Map.of("name", "gizmos"), Map.of("partition", "absent")));

    awaitEndpoints(provider, "parted", List.of(tenants.view("shard-1", provider)));
    assertThat(front.get(provider.at(SLICES + "/parted")).body().text("status", "shardSelector"))
        .isEqualTo("name=shard-1");
    eventually(() ->
        assertThat(front.get(provider.at(SLICES + "/lost")).body().list("status", "conditions"))
            .anySatisfy(condition ->
                assertThat(condition)
                    .extracting(it -> Trees.at(it, "reason"), it -> Trees.at(it, "message"))
                    .containsExactly(
                        "PartitionInvalidReference",
                        "partition.topology.kcp.io \"absent\" not found")));
  }

  @Test
  void aPartitionSetMakesAPartitionForEachShard() {
    String sets = provider.at("/apis/topology.kcp.io/v1alpha1/partitionsets");
    front.post(
        sets,
        Map.of(
            "apiVersion",
            "topology.kcp.io/v1alpha1",
            "kind",
            "PartitionSet",
            "metadata",
            Map.of("name", "each"),
            "spec",
            Map.of("dimensions", List.of("name"))));

    eventually(() ->
        assertThat(front.get(sets + "/each").body().at("status", "count"))
            .isEqualTo((long) sandbox.shards().size()));
    String partitions = provider.at("/apis/topology.kcp.io/v1alpha1/partitions");
    for (String shard : sandbox.shards().keySet()) {
      eventually(() ->
          assertThat(ShardedTenants.names(front.get(partitions).body()))
              .anyMatch(name -> name.startsWith("each-" + shard + "-")));
    }
  }

  private static Map<String, Object> slice(String name, Map<String, Object> export) {
    return slice(name, export, Map.of());
  }

  private static Map<String, Object> slice(
      String name, Map<String, Object> export, Map<String, Object> more) {
    var spec = new HashMap<String, Object>(more);
    spec.put("export", export);
    return Map.of(
        "apiVersion",
        "apis.kcp.io/v1alpha1",
        "kind",
        "APIExportEndpointSlice",
        "metadata",
        Map.of("name", name),
        "spec",
        spec);
  }

  @Test
  void showsInAVirtualWorkspaceWhatItsShardHas() {
    consumers.forEach((shard, consumer) -> tenants.gizmo(consumer, "mine-" + shard));

    for (String shard : sandbox.shards().keySet()) {
      SandboxClient here = tenants.at(shard);
      KubeObject list = here.get(view() + "/clusters/*" + ALL_GIZMOS).body();
      assertThat(names(list)).contains("mine-" + shard).allMatch(name -> name.endsWith(shard));
      String others = view() + "/clusters/" + consumers.get(other(shard)).cluster();
      assertThat(here.get(others + ALL_GIZMOS).status()).isEqualTo(403);
      String watch =
          view()
              + "/clusters/*"
              + ALL_GIZMOS
              + "?watch=true&resourceVersion="
              + list.text("metadata", "resourceVersion");
      try (var events = here.watch(watch)) {
        consumers.forEach(
            (name, consumer) -> tenants.gizmo(consumer, "after-" + shard + "-" + name));
        assertThat(SandboxClient.brief(events.iterator(), 1))
            .containsExactly("ADDED after-" + shard + "-" + shard);
      }
    }
  }

  @Test
  void severalFrontProxiesServeTheSame() {
    SandboxClient second = front.at(sandbox.addFrontProxy());

    consumers
        .values()
        .forEach(consumer ->
            eventually(() ->
                assertThat(
                        second
                            .get("/clusters/" + consumer.path() + NAMESPACES + "/default")
                            .status())
                    .isEqualTo(200)));
  }

  @Test
  void refusesShardsThatMakeNoSense(@TempDir Path root) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerOptions.in(root).withShards(0))
        .withMessage("there can be 1 to 16 shards, not 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sandbox.shard("shard-9"))
        .withMessage("there is no shard shard-9, only [root, shard-1]");
    try (var single = KcpSandbox.start(ServerOptions.in(root))) {
      assertThatIllegalStateException().isThrownBy(single::addShard);
    }
  }
}
