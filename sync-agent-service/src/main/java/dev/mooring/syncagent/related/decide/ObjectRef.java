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
 * @param cluster {@link LogicalCluster#NONE} on the service cluster
 */
public record ObjectRef(
    Side side, ResourceType type, LogicalCluster cluster, NamespacedName namespacedName) {

  /** Empty for a cluster-scoped object. */
  public String namespace() {
    return namespacedName.namespace();
  }

  public String name() {
    return namespacedName.name();
  }

  public ObjectKey key() {
    return new ObjectKey(cluster, namespace(), name());
  }

  /** The Namespace that the object is in. */
  public ObjectRef namespaceRef() {
    return new ObjectRef(
        side, ResourceType.core("namespaces"), cluster, new NamespacedName("", namespace()));
  }

  /** The same object, read in the version of this type if it is of that type. */
  public ObjectRef readAs(ResourceType now) {
    var read = new ObjectRef(side, now, cluster, namespacedName);
    return read.equals(this) ? read : this;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectRef that
        && side == that.side
        && type.group().equals(that.type.group())
        && type.resource().equals(that.type.resource())
        && cluster.equals(that.cluster)
        && namespacedName.equals(that.namespacedName);
  }

  @Override
  public int hashCode() {
    return Objects.hash(side, type.group(), type.resource(), cluster, namespacedName);
  }
}
