package dev.mooring.sandbox.api.request;

import dev.mooring.model.identity.LogicalCluster;

/** Where the logical cluster that a path leads to is. */
public sealed interface ClusterPlace {
  record OnShard(String shard, LogicalCluster cluster) implements ClusterPlace {}

  /** A workspace that has no logical cluster at the moment. */
  record Unavailable() implements ClusterPlace {}
}
