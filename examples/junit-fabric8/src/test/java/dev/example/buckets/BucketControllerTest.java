package dev.example.buckets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.mooring.sandbox.junit.WithKcp;
import dev.mooring.sandbox.junit.Workspace;
import dev.mooring.sandbox.junit.WorkspaceTree;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@WithKcp
class BucketControllerTest {

  @Test
  void eachConsumersBucketGetsItsOwnEndpoint(
      WorkspaceTree tree,
      @Workspace("provider") KubernetesClient provider,
      @Workspace("acme") KubernetesClient acme,
      @Workspace("globex") KubernetesClient globex)
      throws IOException {
    apply(provider, manifest("apiresourceschema.yaml"));
    apply(provider, manifest("apiexport.yaml"));
    String binding = manifest("apibinding.yaml").replace("PROVIDER", tree.path("provider"));
    bind(acme, binding);
    bind(globex, binding);

    try (var _ = new BucketController(provider.getConfiguration(), virtualWorkspace(provider))) {
      create(acme, "logs", "eu");
      create(globex, "logs", "eu");

      String acmes = endpoint(acme, "logs");
      String globexs = endpoint(globex, "logs");
      assertNotEquals(acmes, globexs);
      assertEquals("https://logs.%s.eu.storage.example.dev".formatted(cluster(acme)), acmes);
      assertEquals("https://logs.%s.eu.storage.example.dev".formatted(cluster(globex)), globexs);
    }
  }

  private static void bind(KubernetesClient consumer, String binding) {
    apply(consumer, binding);
    consumer
        .genericKubernetesResources("apis.kcp.io/v1alpha2", "APIBinding")
        .withName("buckets")
        .waitUntilCondition(
            bound -> bound != null && "Bound".equals(bound.get("status", "phase")),
            30,
            TimeUnit.SECONDS);
  }

  /** kcp lists it once a consumer has bound. */
  private static String virtualWorkspace(KubernetesClient provider) {
    return provider
        .genericKubernetesResources("apis.kcp.io/v1alpha1", "APIExportEndpointSlice")
        .withName("buckets")
        .waitUntilCondition(
            slice -> slice != null && slice.get("status", "endpoints", 0, "url") != null,
            30,
            TimeUnit.SECONDS)
        .get("status", "endpoints", 0, "url");
  }

  private static void create(KubernetesClient consumer, String name, String region) {
    var bucket = new Bucket();
    bucket.setMetadata(new ObjectMetaBuilder().withName(name).build());
    bucket.setSpec(new Bucket.Spec(region));
    consumer.resource(bucket).create();
  }

  private static String endpoint(KubernetesClient consumer, String name) {
    return consumer
        .resources(Bucket.class)
        .withName(name)
        .waitUntilCondition(
            bucket -> bucket != null && bucket.getStatus() != null, 30, TimeUnit.SECONDS)
        .getStatus()
        .endpoint();
  }

  private static String cluster(KubernetesClient consumer) {
    return consumer
        .namespaces()
        .withName("default")
        .get()
        .getMetadata()
        .getAnnotations()
        .get("kcp.io/cluster");
  }

  private static void apply(KubernetesClient client, String yaml) {
    client.resource(yaml).create();
  }

  private static String manifest(String name) throws IOException {
    try (var in = BucketControllerTest.class.getResourceAsStream("/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
