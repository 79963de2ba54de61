package dev.mooring.sandbox;

import static dev.mooring.sandbox.ShardedTenants.eventually;
import static dev.mooring.sandbox.ShardedTenants.names;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.ShardedTenants.Tenant;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The feature CacheAPIs, with a provider and a consumer on different shards. */
class CachedResourcesIT {
  private static final String CACHE = "/apis/cache.kcp.io/v1alpha1";
  private static final String THINGS = "/apis/cached.example.io/v1/things";
  private static final String NAMES =
      "{\"plural\": \"things\", \"kind\": \"Thing\", \"listKind\": \"ThingList\"}";
  private static final String SCHEMA =
      "{\"type\": \"object\", \"x-kubernetes-preserve-unknown-fields\": true}";

  private KcpSandbox sandbox;
  private SandboxClient front;
  private Tenant provider;
  private Tenant consumer;

  @BeforeEach
  void start(@TempDir Path root) {
    sandbox =
        KcpSandbox.start(ServerOptions.in(root).withShards(2).withFeatures(FeatureGate.CACHE_APIS));
    var tenants = new ShardedTenants(sandbox);
    front = tenants.front;
    provider = tenants.workspace("provider", "shard-1");
    consumer = tenants.workspace("consumer", "root");
    cache();
    bind();
  }

  @AfterEach
  void stop() {
    sandbox.close();
  }

  private void post(Tenant tenant, String path, String object) {
    var answer = front.post(tenant.at(path), KubeJson.readObject(object));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
  }

  private void thing(String name) {
    post(
        provider,
        THINGS,
        "{\"apiVersion\": \"cached.example.io/v1\", \"kind\": \"Thing\", \"metadata\": {\"name\":"
            + " \"%s\"}}".formatted(name));
  }

  private void cache() {
    post(
        provider,
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "things.cached.example.io"},
         "spec": {"group": "cached.example.io", "scope": "Cluster", "names": %s,
                  "versions": [{"name": "v1", "served": true, "storage": true,
                                "schema": {"openAPIV3Schema": %s}}]}}
        """
            .formatted(NAMES, SCHEMA));
    eventually(() -> assertThat(front.get(provider.at(THINGS)).status()).isEqualTo(200));
    thing("one");
    post(
        provider,
        CACHE + "/cachedresources",
        """
        {"apiVersion": "cache.kcp.io/v1alpha1", "kind": "CachedResource",
         "metadata": {"name": "things"},
         "spec": {"group": "cached.example.io", "version": "v1", "resource": "things"}}
        """);
    eventually(() ->
        assertThat(
                front
                    .get(provider.at(CACHE + "/cachedresources/things"))
                    .body()
                    .at("status", "resourceCounts", "cache"))
            .isEqualTo(1L));
    post(
        provider,
        "/apis/apis.kcp.io/v1alpha1/apiresourceschemas",
        """
        {"apiVersion": "apis.kcp.io/v1alpha1", "kind": "APIResourceSchema",
         "metadata": {"name": "v1.things.cached.example.io"},
         "spec": {"group": "cached.example.io", "scope": "Cluster", "names": %s,
                  "versions": [{"name": "v1", "served": true, "storage": true, "schema": %s}]}}
        """
            .formatted(NAMES.replace("{", "{\"singular\": \"thing\", "), SCHEMA));
    post(
        provider,
        "/apis/apis.kcp.io/v1alpha2/apiexports",
        """
        {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIExport", "metadata": {"name": "things"},
         "spec": {"resources": [{"group": "cached.example.io", "name": "things",
           "schema": "v1.things.cached.example.io",
           "storage": {"virtual": {"identityHash": "unchecked", "reference": {
             "apiGroup": "cache.kcp.io", "kind": "CachedResourceEndpointSlice",
             "name": "things"}}}}]}}
        """);
    post(
        provider,
        CACHE + "/cachedresourceendpointslices",
        """
        {"apiVersion": "cache.kcp.io/v1alpha1", "kind": "CachedResourceEndpointSlice",
         "metadata": {"name": "things"},
         "spec": {"cachedResource": {"name": "things"}, "export": {"name": "things"}}}
        """);
  }

  private void bind() {
    var binding =
        KubeJson.readObject(
            """
            {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIBinding",
             "metadata": {"name": "things"},
             "spec": {"reference": {"export": {"path": "%s", "name": "things"}}}}
            """
                .formatted(provider.path()));
    eventually(() ->
        assertThat(front.post(consumer.at(ShardedTenants.BINDINGS), binding).status())
            .isIn(201, 409));
    eventuallyListed("one");
  }

  private void eventuallyListed(String... wanted) {
    eventually(() -> {
      var answer = front.get(consumer.at(THINGS));
      assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
      assertThat(names(answer.body())).containsExactly(wanted);
    });
  }

  @Test
  void aConsumerOnAnotherShardReadsAndWatches() {
    try (Stream<KubeObject> events = front.watch(consumer.at(THINGS + "?watch=true"))) {
      thing("two");

      assertThat(events.map(event -> event.text("object", "metadata", "name")).limit(2))
          .containsExactly("one", "two");
    }
    assertThat(front.get(consumer.at(THINGS + "/two")).body().annotations())
        .containsEntry("kcp.io/cluster", consumer.cluster());
    assertThat(front.delete(consumer.at(THINGS + "/two")).status()).isEqualTo(405);
  }

  @Test
  void whatIsCachedOutlastsItsShard() {
    sandbox.shard("shard-1").kill();

    assertThat(names(front.get(consumer.at(THINGS)).body())).containsExactly("one");

    sandbox.shard("shard-1").start();
    thing("two");
    eventuallyListed("one", "two");
  }

  @Test
  void whatIsWrittenWhileTheCacheServerIsStoppedIsCopiedAfterwards() {
    sandbox.cacheServer().stop();
    thing("two");
    front.delete(provider.at(THINGS + "/one"));

    assertThat(names(front.get(consumer.at(THINGS)).body())).containsExactly("one");

    sandbox.cacheServer().start();
    eventuallyListed("two");
  }
}
