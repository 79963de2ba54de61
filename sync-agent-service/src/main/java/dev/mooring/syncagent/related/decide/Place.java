package dev.mooring.syncagent.related.decide;

import dev.mooring.model.object.KubeObject;
import java.util.Objects;

/**
 * Where an object is within its cluster.
 *
 * @param namespace empty for a cluster-scoped object
 */
public record Place(String namespace, String name) {
  public Place {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(name, "name");
  }

  public static Place of(KubeObject object) {
    return new Place(object.namespace(), object.name());
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
