package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.Objects;

/**
 * Where one object lives.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record ObjectAddress(Bucket bucket, LogicalCluster cluster, String namespace, String name) {
  public ObjectAddress {
    Objects.requireNonNull(bucket, "bucket");
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(namespace, "namespace");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an object's address needs a name");
    }
  }

  /** The address within the bucket. */
  public ObjectKey key() {
    return new ObjectKey(cluster, namespace, name);
  }

  @Override
  public String toString() {
    return bucket + " " + key();
  }
}
