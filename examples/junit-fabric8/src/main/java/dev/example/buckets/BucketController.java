package dev.example.buckets;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;

/**
 * Gives the Buckets of all consumers an endpoint. It sees them through the virtual workspace of the
 * provider's APIExport.
 */
public final class BucketController implements AutoCloseable, ResourceEventHandler<Bucket> {
  private final Config config;
  private final String virtualWorkspace;
  private final KubernetesClient everywhere;
  private final SharedIndexInformer<Bucket> informer;

  /**
   * @param config the provider's credentials
   * @param virtualWorkspace a URL of the APIExportEndpointSlice
   */
  public BucketController(Config config, String virtualWorkspace) {
    this.config = config;
    this.virtualWorkspace = virtualWorkspace;
    this.everywhere = client("*");
    this.informer =
        everywhere
            .resources(Bucket.class)
            .inAnyNamespace()
            .runnableInformer(0)
            // Consumers may give their objects the same names.
            .itemStore(new BasicItemStore<>(Cache::metaUidKeyFunc));
    informer.addEventHandler(this);
    informer.run();
  }

  private KubernetesClient client(String cluster) {
    Config there =
        new ConfigBuilder(config).withMasterUrl(virtualWorkspace + "/clusters/" + cluster).build();
    return new KubernetesClientBuilder().withConfig(there).build();
  }

  @Override
  public void onAdd(Bucket bucket) {
    String cluster = bucket.getMetadata().getAnnotations().get("kcp.io/cluster");
    String endpoint =
        "https://%s.%s.%s.storage.example.dev"
            .formatted(bucket.getMetadata().getName(), cluster, bucket.getSpec().region());
    if (bucket.getStatus() != null && endpoint.equals(bucket.getStatus().endpoint())) {
      return;
    }
    try (KubernetesClient consumer = client(cluster)) {
      bucket.setStatus(new Bucket.Status(endpoint));
      consumer.resource(bucket).updateStatus();
    }
  }

  @Override
  public void onUpdate(Bucket before, Bucket bucket) {
    onAdd(bucket);
  }

  @Override
  public void onDelete(Bucket bucket, boolean finalStateUnknown) {}

  @Override
  public void close() {
    informer.stop();
    everywhere.close();
  }
}
