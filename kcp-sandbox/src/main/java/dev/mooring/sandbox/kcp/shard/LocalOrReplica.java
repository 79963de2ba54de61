package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Reads of objects that shards share: this shard's own, and replicas for the logical clusters of
 * other shards. A replica may be late, incomplete, or of a shard that does not run; its absence
 * proves nothing. Thread-safe.
 *
 * @param replicas empty for a server that is its only shard
 * @param isOwn whether a logical cluster is on this shard
 */
public record LocalOrReplica(
    LoopbackClient own, Optional<LoopbackClient> replicas, Predicate<LogicalCluster> isOwn) {

  public static LocalOrReplica of(LoopbackClient own, ShardStores stores) {
    return new LocalOrReplica(
        own,
        stores
            .replicas()
            .map(found -> new LoopbackClient(found.store(), own.clock(), _ -> Optional.empty())),
        stores::isOwn);
  }

  private LoopbackClient in(LogicalCluster cluster) {
    return isOwn.test(cluster) ? own : replicas.orElseThrow();
  }

  public Optional<StoredObject> get(ResourceKey resourceKey, LogicalCluster cluster, String name) {
    return in(cluster).get(resourceKey, cluster, name);
  }

  public List<StoredObject> list(ResourceKey resourceKey, LogicalCluster cluster) {
    return in(cluster).list(resourceKey, cluster);
  }

  /** Of all logical clusters of all shards. */
  public List<StoredObject> everywhere(ResourceKey resourceKey) {
    List<StoredObject> here = own.everywhere(resourceKey);
    return replicas
        .map(others ->
            Stream.concat(
                    here.stream(),
                    others.everywhere(resourceKey).stream()
                        .filter(replica -> !isOwn.test(replica.key().cluster())))
                .toList())
        .orElse(here);
  }
}
