package dev.mooring.syncagent.related.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.published.Side;
import java.util.Objects;

/**
 * An object's address, whether there is one or not. In another version of its type it is the same
 * object: two addresses that differ in nothing else are equal.
 *
 * @param key on the service cluster in {@link LogicalCluster#NONE}
 */
public record ObjectRef(Side side, ResourceType type, ObjectKey key) {
  /**
   * @param cluster of the consumer; not used on the service cluster
   */
  public static ObjectRef of(
      Side side, ResourceType type, LogicalCluster cluster, String namespace, String name) {
    return new ObjectRef(side, type, new ObjectKey(clusterOn(side, cluster), namespace, name));
  }

  static LogicalCluster clusterOn(Side side, LogicalCluster consumer) {
    return side == Side.KCP ? consumer : LogicalCluster.NONE;
  }

  /** Empty for a cluster-scoped object. */
  public String namespace() {
    return key.namespace();
  }

  public String name() {
    return key.name();
  }

  /** {@code namespace/name}, or the name of a cluster-scoped object. */
  public String namespacedName() {
    return namespace().isEmpty() ? name() : namespace() + "/" + name();
  }

  /** The Namespace that the object is in. */
  public ObjectRef namespaceRef() {
    return of(side, ResourceType.core("namespaces"), key.cluster(), "", namespace());
  }

  /** The same object, read in the version of this type if it is of that type. */
  public ObjectRef readAs(ResourceType now) {
    var read = new ObjectRef(side, now, key);
    return read.equals(this) ? read : this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectRef that
        && side == that.side
        && type.group().equals(that.type.group())
        && type.resource().equals(that.type.resource())
        && key.equals(that.key);
  }

  @Override
  public int hashCode() {
    return Objects.hash(side, type.group(), type.resource(), key);
  }
}
