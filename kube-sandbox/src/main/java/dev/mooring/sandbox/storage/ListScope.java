package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.Optional;

/**
 * Which objects of a resource a list or watch covers.
 *
 * @param cluster empty for all logical clusters
 * @param namespace empty for all namespaces, and for cluster-scoped resources
 */
public record ListScope(
    ResourceKey resourceKey, Optional<LogicalCluster> cluster, String namespace) {

  public static ListScope everywhere(ResourceKey resourceKey) {
    return new ListScope(resourceKey, Optional.empty(), "");
  }

  public static ListScope of(ResourceKey resourceKey, LogicalCluster cluster) {
    return new ListScope(resourceKey, Optional.of(cluster), "");
  }

  public static ListScope of(ResourceKey resourceKey, LogicalCluster cluster, String namespace) {
    return new ListScope(resourceKey, Optional.of(cluster), namespace);
  }

  public boolean covers(ObjectKey key) {
    return (cluster.isEmpty() || cluster.get().equals(key.cluster()))
        && (namespace.isEmpty() || namespace.equals(key.namespace()));
  }
}
