package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.PerClusterCache;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.List;

/** The webhooks of each logical cluster, compiled once per change. Thread-safe. */
final class WebhookConfigurations implements AutoCloseable {
  private final ShardStores stores;
  private final ResourceKey resourceKey;
  private final PerClusterCache<List<Webhook>> webhooks;

  WebhookConfigurations(ShardStores stores, ReviewCodec.Kind kind) {
    this.stores = stores;
    this.resourceKey =
        ResourceKey.of(
            "admissionregistration.k8s.io",
            switch (kind) {
              case VALIDATING -> "validatingwebhookconfigurations";
              case MUTATING -> "mutatingwebhookconfigurations";
            });
    this.webhooks = new PerClusterCache<>(stores, List.of(resourceKey), this::read);
  }

  /** In the order in which they are called: by configuration name, then as listed. */
  List<Webhook> of(LogicalCluster cluster) {
    return webhooks.of(cluster);
  }

  private List<Webhook> read(LogicalCluster cluster) {
    return stores.of(cluster).list(ListScope.of(resourceKey, cluster)).objects().stream()
        .flatMap(configuration -> Webhook.of(configuration).stream())
        .toList();
  }

  @Override
  public void close() {
    webhooks.close();
  }
}
