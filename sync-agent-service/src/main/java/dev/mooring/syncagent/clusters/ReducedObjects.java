package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What is held of an object that another replica works on: enough to see that it is there, whose it
 * is, and whether it ends.
 */
public final class ReducedObjects {
  /** No name of a field: objects of any type may be reduced. */
  private static final String MARK = "mooring.dev/metadata-only";

  private static final Set<String> KEPT =
      Set.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "labels",
          "finalizers",
          "deletionTimestamp");

  private static final Set<String> ANNOTATIONS =
      Set.of(LogicalCluster.ANNOTATION, SyncMarks.SOURCE_NAME, SyncMarks.SOURCE_NAMESPACE);

  private ReducedObjects() {}

  static KubeObject reduce(KubeObject whole) {
    var metadata = new LinkedHashMap<>(whole.map("metadata"));
    metadata.keySet().retainAll(KEPT);
    var annotations = new LinkedHashMap<>(whole.annotations());
    annotations.keySet().retainAll(ANNOTATIONS);
    metadata.put("annotations", annotations);
    return KubeObject.of(Map.of(MARK, true, "metadata", metadata));
  }

  public static boolean isReduced(KubeObject object) {
    return object.tree().containsKey(MARK);
  }
}
