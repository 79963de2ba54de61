package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.Objects;
import java.util.Optional;

/**
 * Which objects of a bucket a list or watch covers.
 *
 * @param cluster empty for all logical clusters
 * @param namespace empty for all namespaces, and for cluster-scoped resources
 */
public record ListScope(Bucket bucket, Optional<LogicalCluster> cluster, String namespace) {
  public ListScope {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(namespace, "namespace");
  }

  public static ListScope everywhere(Bucket bucket) {
    return new ListScope(bucket, Optional.empty(), "");
  }

  public static ListScope of(Bucket bucket, LogicalCluster cluster) {
    return new ListScope(bucket, Optional.of(cluster), "");
  }

  public static ListScope of(Bucket bucket, LogicalCluster cluster, String namespace) {
    return new ListScope(bucket, Optional.of(cluster), namespace);
  }

  public boolean covers(ObjectKey key) {
    return (cluster.isEmpty() || cluster.get().equals(key.cluster()))
        && (namespace.isEmpty() || namespace.equals(key.namespace()));
  }
}
