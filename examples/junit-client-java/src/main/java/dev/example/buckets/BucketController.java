package dev.example.buckets;

import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.util.Watchable;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesListObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.kubernetes.client.util.generic.options.ListOptions;
import java.util.function.Supplier;

/**
 * Gives the Buckets of all consumers an endpoint. It sees them through the virtual workspace of the
 * provider's APIExport. It runs until its thread is interrupted.
 */
public final class BucketController implements Runnable {
  private static final String GROUP = "storage.example.dev";
  private static final String VERSION = "v1";
  private static final String PLURAL = "buckets";

  private final Supplier<ApiClient> clients;
  private final String virtualWorkspace;

  /**
   * @param clients with the provider's credentials; each is pointed at another URL
   * @param virtualWorkspace a URL of the APIExportEndpointSlice
   */
  public BucketController(Supplier<ApiClient> clients, String virtualWorkspace) {
    this.clients = clients;
    this.virtualWorkspace = virtualWorkspace;
  }

  private ApiClient client(String cluster) {
    return clients.get().setBasePath(virtualWorkspace + "/clusters/" + cluster);
  }

  @Override
  public void run() {
    var everywhere = new DynamicKubernetesApi(GROUP, VERSION, PLURAL, client("*"));
    while (!Thread.currentThread().isInterrupted()) {
      try {
        DynamicKubernetesListObject list = everywhere.list().throwsApiException().getObject();
        for (DynamicKubernetesObject bucket : list.getItems()) {
          reconcile(bucket);
        }
        var after = new ListOptions();
        after.setResourceVersion(list.getMetadata().getResourceVersion());
        try (Watchable<DynamicKubernetesObject> events = everywhere.watch(after)) {
          while (events.hasNext()) {
            var event = events.next();
            if (event.type.equals("ADDED") || event.type.equals("MODIFIED")) {
              reconcile(event.object);
            }
          }
        }
      } catch (Exception e) {
        // The watch ended, or another writer was first: list again.
        System.err.println("listing again after " + e);
      }
    }
  }

  private void reconcile(DynamicKubernetesObject bucket) throws ApiException {
    String name = bucket.getMetadata().getName();
    String cluster = bucket.getMetadata().getAnnotations().get("kcp.io/cluster");
    String region = bucket.getRaw().getAsJsonObject("spec").get("region").getAsString();
    var status = new JsonObject();
    status.addProperty(
        "endpoint", "https://%s.%s.%s.storage.example.dev".formatted(name, cluster, region));
    if (status.equals(bucket.getRaw().get("status"))) {
      return;
    }
    bucket.getRaw().add("status", status);
    new CustomObjectsApi(client(cluster))
        .replaceNamespacedCustomObjectStatus(
            GROUP, VERSION, bucket.getMetadata().getNamespace(), PLURAL, name, bucket.getRaw())
        .execute();
  }
}
