package dev.mooring.syncagent.content.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merge patches that a server carries out only on the very object that was seen, unchanged. */
public final class ConditionalPatch {
  private ConditionalPatch() {}

  public static Map<String, Object> on(KubeObject seen, Map<String, Object> patch) {
    var metadata = new LinkedHashMap<>(Trees.map(patch, "metadata"));
    metadata.put("resourceVersion", seen.resourceVersion());
    metadata.put("uid", seen.uid());
    var conditional = new LinkedHashMap<>(patch);
    conditional.put("metadata", metadata);
    return conditional;
  }

  /** With an annotation set; null removes it. */
  public static Map<String, Object> withAnnotation(
      Map<String, Object> patch, String key, @Nullable String value) {
    var metadata = new LinkedHashMap<>(Trees.map(patch, "metadata"));
    var annotations = new LinkedHashMap<>(Trees.map(metadata, "annotations"));
    annotations.put(key, value);
    metadata.put("annotations", annotations);
    var extended = new LinkedHashMap<>(patch);
    extended.put("metadata", metadata);
    return extended;
  }
}
