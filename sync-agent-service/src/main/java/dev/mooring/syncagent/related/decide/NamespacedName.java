package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;

/**
 * Namespace and name of an object in its cluster.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record NamespacedName(String namespace, String name) {

  public static NamespacedName of(KubeObject object) {
    return new NamespacedName(object.namespace(), object.name());
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
