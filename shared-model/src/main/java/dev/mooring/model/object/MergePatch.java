package dev.mooring.model.object;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** JSON merge patches (RFC 7386) on frozen trees. */
public final class MergePatch {
  private MergePatch() {}

  /**
   * The target after the patch: null removes, maps merge, everything else (lists, too) replaces.
   */
  public static KubeObject apply(KubeObject target, Map<String, Object> patch) {
    return KubeObject.owning(mergeMaps(target.tree(), Trees.freezeMap(patch)));
  }

  /**
   * The smallest patch that turns {@code from} into {@code to}; empty if they are equal. A field
   * that is null in {@code to} is not distinguished from a removed one, as the RFC has it.
   */
  public static Map<String, Object> diff(Map<String, Object> from, Map<String, Object> to) {
    var patch = new LinkedHashMap<String, Object>();
    for (String gone : from.keySet()) {
      if (!to.containsKey(gone)) {
        patch.put(gone, null);
      }
    }
    to.forEach((key, after) -> {
      Object before = from.get(key);
      if (from.containsKey(key) && Objects.equals(before, after)) {
        return;
      }
      if (before instanceof Map<?, ?> && after instanceof Map<?, ?>) {
        patch.put(key, diff(Trees.mapOrEmpty(before), Trees.mapOrEmpty(after)));
      } else {
        patch.put(key, after);
      }
    });
    return Collections.unmodifiableMap(patch);
  }

  private static Map<String, Object> mergeMaps(
      Map<String, Object> target, Map<String, Object> patch) {
    var merged = new LinkedHashMap<>(target);
    patch.forEach((key, change) -> {
      switch (change) {
        case null -> merged.remove(key);
        case Map<?, ?> inner ->
            merged.put(key, mergeMaps(Trees.mapOrEmpty(target.get(key)), Trees.mapOrEmpty(inner)));
        default -> merged.put(key, change);
      }
    });
    return Trees.owned(merged);
  }
}
