package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.KubeObject;

/** Removes annotations, and the map if it becomes empty. */
public final class Annotations {
  private Annotations() {}

  public static KubeObject without(KubeObject object, String... keys) {
    KubeObject pruned = object;
    for (String key : keys) {
      pruned = pruned.without("metadata", "annotations", key);
    }
    boolean emptied = pruned != object && pruned.map("metadata", "annotations").isEmpty();
    return emptied ? pruned.without("metadata", "annotations") : pruned;
  }
}
