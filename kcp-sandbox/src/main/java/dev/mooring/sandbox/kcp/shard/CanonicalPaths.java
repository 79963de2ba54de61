package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.controller.Informer;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StoreEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The logical clusters of this shard and the replicated ones of others, by canonical path: what a
 * shard knows of paths that begin on another shard. Empty on a server that is its only shard, which
 * walks every path. As current as its informers. Thread-safe.
 */
public final class CanonicalPaths implements AutoCloseable {
  private final ShardStores stores;
  private final Map<String, LogicalCluster> clusters = new ConcurrentHashMap<>();
  private final List<Informer> informers = new ArrayList<>();

  public CanonicalPaths(ShardStores stores) {
    this.stores = stores;
  }

  public void start() {
    stores
        .replicas()
        .ifPresent(replicas -> {
          follow(stores.own());
          follow(replicas.store());
        });
  }

  private void follow(ResourceStore store) {
    informers.add(Informer.start("paths", store, KcpResources.LOGICAL_CLUSTERS, this::onCluster));
  }

  private void onCluster(StoreEvent event) {
    LogicalCluster cluster = event.object().key().cluster();
    event
        .object()
        .object()
        .annotation(KcpNames.PATH)
        .ifPresent(path -> {
          if (event instanceof StoreEvent.Deleted) {
            clusters.remove(path, cluster);
          } else {
            clusters.put(path, cluster);
          }
        });
  }

  public Optional<LogicalCluster> find(String path) {
    return Optional.ofNullable(clusters.get(path));
  }

  @Override
  public void close() {
    informers.forEach(Informer::close);
  }
}
