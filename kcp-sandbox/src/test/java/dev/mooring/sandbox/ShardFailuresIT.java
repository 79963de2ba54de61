package dev.mooring.sandbox;

import static dev.mooring.sandbox.ShardedTenants.BINDINGS;
import static dev.mooring.sandbox.ShardedTenants.GIZMOS;
import static dev.mooring.sandbox.ShardedTenants.WORKSPACES;
import static dev.mooring.sandbox.ShardedTenants.eventually;
import static dev.mooring.sandbox.ShardedTenants.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mooring.sandbox.ShardedTenants.Tenant;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards that die, return and join; as observed on a kcp 0.32.3 of two shards. */
class ShardFailuresIT {
  private static final String NAMESPACE = "/api/v1/namespaces/default";
  private static final String WATCH = "/api/v1/configmaps?watch=true";
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

  /** Of HTTP/1.1: the answer is complete. */
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  private KcpSandbox sandbox;
  private ShardedTenants tenants;
  private SandboxClient front;
  private Tenant provider;
  private Tenant near;
  private Tenant far;

  @BeforeEach
  void start(@TempDir Path root) {
    sandbox = KcpSandbox.start(ServerOptions.in(root).withShards(2));
    tenants = new ShardedTenants(sandbox);
    front = tenants.front;
    provider = tenants.workspace("provider", "root");
    tenants.export(provider);
    near = tenants.workspace("near", "root");
    far = tenants.workspace("far", "shard-1");
    tenants.bind(far, provider);
  }

  @AfterEach
  void stop() {
    sandbox.close();
  }

  @Test
  void aDeadShardIsABadGatewayForItsClustersAlone() throws IOException {
    var watch = front.connection(far.at(WATCH), READ_TIMEOUT);
    assertThat(readUntil(watch, "ADDED")).startsWith("HTTP/1.1 200");

    sandbox.shard("shard-1").kill();

    assertThat(sandbox.shard("shard-1").isRunning()).isFalse();
    for (String path : new String[] {far.path(), far.cluster()}) {
      assertThat(front.get("/clusters/" + path + NAMESPACE).status()).isEqualTo(502);
    }
    assertThat(front.get(near.at(NAMESPACE)).status()).isEqualTo(200);
    assertThat(front.get("/clusters/" + near.path() + NAMESPACE).status()).isEqualTo(200);
    assertThat(front.get("/readyz").status()).isEqualTo(200);
    // Its URL stays in slices.
    assertThat(tenants.endpoints(provider, "gizmos"))
        .containsExactly(tenants.view("shard-1", provider));
    try (watch) {
      readUntil(watch, LAST_CHUNK);
    }
  }

  @Test
  void aFrontProxyThatStartsMeanwhileDoesNotKnowTheClustersOfADeadShard() {
    sandbox.shard("shard-1").kill();

    SandboxClient second = front.at(sandbox.addFrontProxy());

    assertThat(second.get(near.at(NAMESPACE)).status()).isEqualTo(200);
    assertThat(second.get(far.at(NAMESPACE)).status()).isEqualTo(403);
    assertThat(front.get(far.at(NAMESPACE)).status()).isEqualTo(502);
    sandbox.shard("shard-1").start();
    eventually(() -> assertThat(second.get(far.at(NAMESPACE)).status()).isEqualTo(200));
    sandbox.shard("root").kill();
    assertThatIllegalStateException()
        .isThrownBy(sandbox::addFrontProxy)
        .withMessage("a front proxy needs the shard root, which does not run; start it first");
  }

  @Test
  void administratorsKillAndStartShardsOverHttp() {
    String faults = "/clusters/root/faults";

    assertThat(front.put(faults, "{down: [shard-1]}").status()).isEqualTo(200);
    assertThat(sandbox.shard("shard-1").isRunning()).isFalse();
    assertThat(front.get(far.at(NAMESPACE)).status()).isEqualTo(502);
    assertThat(front.put(faults, "{down: [root]}").message())
        .isEqualTo("the shard root cannot be down: it serves /faults");
    assertThat(front.put(faults, "{down: [shard-7]}").message())
        .isEqualTo("there is no shard shard-7, only [root, shard-1]");
    assertThat(front.delete(faults).status()).isEqualTo(200);

    assertThat(front.get(far.at(NAMESPACE)).status()).isEqualTo(200);
  }

  /** What comes up to the text; fails if the stream ends before. */
  private static String readUntil(SSLSocket connection, String text) throws IOException {
    var read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      int next = connection.getInputStream().read();
      assertThat(next).as("the answer ends: %s", read).isNotNegative();
      read.append((char) next);
    }
    return read.toString();
  }

  @Test
  void aShardReturnsWithItsObjectsAndCatchesUp() {
    tenants.gizmo(far, "kept");
    String url = sandbox.shard("shard-1").url().toString();

    sandbox.shard("shard-1").kill();
    front.post("/clusters/root" + WORKSPACES, ShardedTenants.workspaceObject("late", "shard-1"));
    assertThat(front.get("/clusters/root" + WORKSPACES + "/late").body().text("status", "phase"))
        .isEqualTo("Scheduling");
    sandbox.shard("shard-1").start();

    assertThat(sandbox.shard("shard-1").url()).hasToString(url);
    assertThat(front.get(far.at(GIZMOS + "/kept")).status()).isEqualTo(200);
    Tenant late = tenants.ready("root", "late");
    tenants.bind(late, provider);
    assertThat(tenants.gizmo(late, "new").status()).isEqualTo(201);
  }

  @Test
  void aStoppedShardEndsWatchesAndReturns() throws IOException {
    var watch = tenants.at("shard-1").connection(far.at(WATCH), READ_TIMEOUT);
    readUntil(watch, "ADDED");

    sandbox.shard("shard-1").stop();
    sandbox.shard("shard-1").stop();
    try (watch) {
      readUntil(watch, LAST_CHUNK);
    }
    sandbox.shard("shard-1").start();
    sandbox.shard("shard-1").start();

    assertThat(front.get(far.at(NAMESPACE)).status()).isEqualTo(200);
  }

  /** What a shard needs of others it has from the cache server, which keeps a dead shard's. */
  @Test
  void boundApisWorkWithoutTheShardOfTheExport() {
    Tenant second = tenants.workspace("second", "shard-1");
    Tenant third = tenants.workspace(far.path(), "third", "shard-1");

    sandbox.shard("root").kill();

    assertThat(front.get(provider.at(NAMESPACE)).status()).isEqualTo(502);
    assertThat(tenants.gizmo(far, "alone").status()).isEqualTo(201);
    assertThat(
            names(
                tenants
                    .at("shard-1")
                    .get(
                        "/services/apiexport/"
                            + provider.cluster()
                            + "/gizmos/clusters/*/apis/export.example.io/v1/gizmos")
                    .body()))
        .contains("alone");
    tenants.bind(second, provider);
    assertThat(tenants.gizmo(second, "bound-alone").status()).isEqualTo(201);
    Tenant fourth = tenants.workspace(third.path(), "fourth", "shard-1");
    assertThat(front.get(fourth.at(NAMESPACE)).status()).isEqualTo(200);
  }

  @Test
  void anExportThatChangesWhileAConsumersShardIsDownIsFollowedAfterwards() {
    sandbox.shard("shard-1").kill();
    front.delete(provider.at("/apis/apis.kcp.io/v1alpha2/apiexports/gizmos"));
    sandbox.shard("shard-1").start();

    eventually(() -> assertThat(conditions(far)).contains("APIExportNotFound"));
    assertThat(tenants.gizmo(far, "still-served").status()).isEqualTo(201);
  }

  /** What another shard shares stays as it was seen last. */
  @Test
  void shardsGoOnWithWhatTheyHaveSeenWhileTheCacheServerIsDown() {
    Tenant late = tenants.workspace("late", "root");
    Tenant second = tenants.workspace("second", "shard-1");
    String export = provider.at("/apis/apis.kcp.io/v1alpha2/apiexports/gizmos");

    sandbox.cacheServer().stop();
    tenants.export(late);
    front.delete(export);

    assertThat(front.post(far.at(BINDINGS), ShardedTenants.binding(late, "late")).status())
        .isEqualTo(403);
    assertThat(tenants.gizmo(far, "alone").status()).isEqualTo(201);
    // The deleted export can be bound all the same.
    tenants.bind(second, provider);
    assertThat(tenants.gizmo(second, "of-a-deleted-export").status()).isEqualTo(201);
    // The shard with the workspace root has its own objects.
    tenants.bind(near, late);

    sandbox.cacheServer().start();

    tenants.bind(tenants.workspace("third", "shard-1"), late);
    eventually(() -> assertThat(conditions(far)).contains("APIExportNotFound"));
  }

  private String conditions(Tenant consumer) {
    return front
        .get(consumer.at(BINDINGS + "/gizmos"))
        .body()
        .list("status", "conditions")
        .toString();
  }

  @Test
  void aShardStartsOnceTheCacheServerDoes() {
    sandbox.shard("shard-1").kill();
    sandbox.cacheServer().stop();
    sandbox.cacheServer().stop();

    assertThat(sandbox.cacheServer().isRunning()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(sandbox.shard("shard-1")::start)
        .withMessage(
            "shard-1 cannot join the other shards: the cache server does not run; start it first");
    sandbox.cacheServer().start();
    sandbox.cacheServer().start();
    sandbox.shard("shard-1").start();

    assertThat(front.get(far.at(GIZMOS)).status()).isEqualTo(200);
  }

  @Test
  void aNewShardJoins() {
    Shard joined = sandbox.addShard();

    assertThat(joined.name()).isEqualTo("shard-2");
    assertThat(sandbox.shards()).containsOnlyKeys("root", "shard-1", "shard-2");
    Tenant consumer = tenants.workspace("newest", "shard-2");
    tenants.bind(consumer, provider);
    assertThat(tenants.gizmo(consumer, "on-the-new-shard").status()).isEqualTo(201);
    eventually(() ->
        assertThat(tenants.endpoints(provider, "gizmos"))
            .contains(tenants.view("shard-2", provider)));
  }

  @Test
  void aNewShardNeedsTheShardRootAndAnOldOneDoesNot() {
    sandbox.shard("root").kill();
    sandbox.shard("shard-1").kill();

    sandbox.shard("shard-1").start();
    assertThat(front.get(far.at(GIZMOS)).status()).isEqualTo(200);
    assertThatIllegalStateException()
        .isThrownBy(sandbox::addShard)
        .withMessage(
            "shard-2 cannot join the other shards: shard root does not run; start it first");

    sandbox.shard("root").start();
    assertThat(sandbox.addShard().isRunning()).isTrue();
    assertThat(front.get(provider.at(NAMESPACE)).status()).isEqualTo(200);
  }
}
