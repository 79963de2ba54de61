package dev.mooring.model.identity;

/**
 * Which object of a type: on a wildcard watch namespace and name alone are not unique, so the
 * logical cluster is part of the key.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record ObjectKey(LogicalCluster cluster, String namespace, String name)
    implements Comparable<ObjectKey> {
  public ObjectKey {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an object key needs a name");
    }
  }

  @Override
  public int compareTo(ObjectKey other) {
    int order = cluster.compareTo(other.cluster);
    if (order == 0) {
      order = namespace.compareTo(other.namespace);
    }
    return order == 0 ? name.compareTo(other.name) : order;
  }

  /** {@code cluster|namespace/name}, or {@code cluster|name}. */
  @Override
  public String toString() {
    return cluster + "|" + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
