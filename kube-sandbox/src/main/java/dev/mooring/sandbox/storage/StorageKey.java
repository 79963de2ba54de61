package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;

/**
 * Where one object is stored.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record StorageKey(
    ResourceKey resourceKey, LogicalCluster cluster, String namespace, String name) {
  public StorageKey {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an object's key needs a name");
    }
  }

  /** The key among the objects of the resource. */
  public ObjectKey objectKey() {
    return new ObjectKey(cluster, namespace, name);
  }

  @Override
  public String toString() {
    return resourceKey + " " + objectKey();
  }
}
