package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which store has the objects of a logical cluster: this server's own, or for a logical cluster of
 * another shard the replicas of what that shard shares. Replicas are late and incomplete, so
 * absence in them proves nothing.
 *
 * @param own of this server
 * @param replicas empty for a server that is its only shard
 */
public record ShardStores(ResourceStore own, Optional<Replicas> replicas) {
  /**
   * What other shards share.
   *
   * @param isOwn whether a logical cluster is on this server
   */
  public record Replicas(ResourceStore store, Predicate<LogicalCluster> isOwn) {}

  /** Of a server that is its only shard. */
  public ShardStores(ResourceStore own) {
    this(own, Optional.empty());
  }

  public ResourceStore of(LogicalCluster cluster) {
    return isOwn(cluster) ? own : replicas.orElseThrow().store();
  }

  /** Whether the logical cluster is on this server. */
  public boolean isOwn(LogicalCluster cluster) {
    return replicas.isEmpty() || replicas.get().isOwn().test(cluster);
  }
}
