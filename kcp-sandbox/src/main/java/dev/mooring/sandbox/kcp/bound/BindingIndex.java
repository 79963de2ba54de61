package dev.mooring.sandbox.kcp.bound;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.PerClusterCache;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.List;

/**
 * The APIBindings of each logical cluster. An answer includes every write that was made before the
 * question, and is the same instance until a binding of the cluster changes. Thread-safe.
 */
public final class BindingIndex implements AutoCloseable {
  private static final ResourceKey API_BINDINGS = ResourceKey.of("apis.kcp.io", "apibindings");

  private final PerClusterCache<ClusterBindings> clusters;

  public BindingIndex(ResourceStore store) {
    clusters =
        new PerClusterCache<>(
            new ShardStores(store),
            List.of(API_BINDINGS),
            cluster ->
                ClusterBindings.of(store.list(ListScope.of(API_BINDINGS, cluster)).objects()));
  }

  public ClusterBindings of(LogicalCluster cluster) {
    return clusters.of(cluster);
  }

  @Override
  public void close() {
    clusters.close();
  }
}
