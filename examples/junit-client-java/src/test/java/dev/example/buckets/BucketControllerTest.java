package dev.example.buckets;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import dev.mooring.sandbox.junit.KcpConnection;
import dev.mooring.sandbox.junit.WithKcp;
import dev.mooring.sandbox.junit.Workspace;
import dev.mooring.sandbox.junit.WorkspaceTree;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.dynamic.Dynamics;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

@WithKcp
class BucketControllerTest {
  private static final String BUCKET =
      """
      apiVersion: storage.example.dev/v1
      kind: Bucket
      metadata: {name: logs, namespace: default}
      spec: {region: eu}
      """;

  @Test
  void eachConsumersBucketGetsItsOwnEndpoint(
      WorkspaceTree tree,
      @Workspace("provider") KcpConnection provider,
      @Workspace("acme") KcpConnection acme,
      @Workspace("globex") KcpConnection globex)
      throws Exception {
    create(api(provider, "apis.kcp.io", "v1alpha1", "apiresourceschemas"), manifest("apiresourceschema.yaml"));
    create(api(provider, "apis.kcp.io", "v1alpha2", "apiexports"), manifest("apiexport.yaml"));
    String binding = manifest("apibinding.yaml").replace("PROVIDER", tree.path("provider"));
    bind(acme, binding);
    bind(globex, binding);

    Thread controller =
        Thread.ofVirtual()
            .start(new BucketController(() -> client(provider), virtualWorkspace(provider)));
    try {
      create(buckets(acme), BUCKET);
      create(buckets(globex), BUCKET);

      for (KcpConnection consumer : List.of(acme, globex)) {
        JsonObject bucket = await(buckets(consumer), "default/logs", raw -> raw.has("status"));
        String cluster =
            bucket
                .getAsJsonObject("metadata")
                .getAsJsonObject("annotations")
                .get("kcp.io/cluster")
                .getAsString();
        assertEquals(
            "https://logs.%s.eu.storage.example.dev".formatted(cluster),
            bucket.getAsJsonObject("status").get("endpoint").getAsString());
      }
    } finally {
      controller.interrupt();
    }
  }

  private static void bind(KcpConnection consumer, String binding) throws Exception {
    DynamicKubernetesApi bindings = api(consumer, "apis.kcp.io", "v1alpha2", "apibindings");
    create(bindings, binding);
    await(bindings, "buckets", raw -> raw.toString().contains("\"phase\":\"Bound\""));
  }

  /** kcp lists it once a consumer has bound. */
  private static String virtualWorkspace(KcpConnection provider) throws Exception {
    Predicate<JsonObject> listed =
        raw -> raw.has("status") && raw.getAsJsonObject("status").has("endpoints");
    return await(
            api(provider, "apis.kcp.io", "v1alpha1", "apiexportendpointslices"), "buckets", listed)
        .getAsJsonObject("status")
        .getAsJsonArray("endpoints")
        .get(0)
        .getAsJsonObject()
        .get("url")
        .getAsString();
  }

  private static DynamicKubernetesApi buckets(KcpConnection consumer) {
    return api(consumer, "storage.example.dev", "v1", "buckets");
  }

  private static DynamicKubernetesApi api(
      KcpConnection workspace, String group, String version, String plural) {
    return new DynamicKubernetesApi(group, version, plural, client(workspace));
  }

  private static ApiClient client(KcpConnection workspace) {
    try {
      return Config.fromConfig(new StringReader(workspace.kubeconfig()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void create(DynamicKubernetesApi api, String yaml) throws ApiException {
    api.create(Dynamics.newFromYaml(yaml)).throwsApiException();
  }

  /**
   * @param key name, after the namespace and a slash if it has one
   */
  private static JsonObject await(
      DynamicKubernetesApi api, String key, Predicate<JsonObject> state) throws Exception {
    String[] parts = key.split("/");
    for (int tries = 0; ; tries++) {
      DynamicKubernetesObject object =
          (parts.length == 1 ? api.get(key) : api.get(parts[0], parts[1])).getObject();
      if (object != null && state.test(object.getRaw())) {
        return object.getRaw();
      }
      if (tries == 300) {
        throw new AssertionError(key + " does not come to the expected state: " + object);
      }
      Thread.sleep(Duration.ofMillis(100));
    }
  }

  private static String manifest(String name) throws IOException {
    try (var in = BucketControllerTest.class.getResourceAsStream("/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
