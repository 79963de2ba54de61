package dev.mooring.model.identity;

import java.util.Comparator;

/**
 * Which object of a type: on a wildcard watch namespace and name alone are not unique, so the
 * logical cluster is part of the key.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record ObjectKey(LogicalCluster cluster, String namespace, String name)
    implements Comparable<ObjectKey> {
  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::cluster)
          .thenComparing(ObjectKey::namespace)
          .thenComparing(ObjectKey::name);

  public ObjectKey {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an object key needs a name");
    }
  }

  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }

  /** {@code cluster|namespace/name}, or {@code cluster|name}. */
  @Override
  public String toString() {
    return cluster + "|" + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
