package dev.mooring.sandbox.storage;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How much memory a stored object takes, about: its text, its labels, and what holds it. */
final class MemoryEstimate {
  /** The object itself, its key and names, its place in the map and in the events. */
  private static final int OVERHEAD = 400;

  /** A name or text with quotes, separator, and an escape here and there. */
  private static final int TEXT = 4;

  /** A number, boolean or null. */
  private static final int SCALAR = 6;

  private MemoryEstimate() {}

  /** In bytes, of an object whose text was not written yet. */
  static int of(Map<String, Object> tree) {
    return (int)
        Math.min(
            Integer.MAX_VALUE, OVERHEAD + text(tree) + text(Trees.at(tree, "metadata", "labels")));
  }

  /** In bytes. */
  static int ofText(byte[] json) {
    return OVERHEAD + json.length + (int) text(KubeJson.readAt(json, "metadata", "labels"));
  }

  private static long text(@Nullable Object value) {
    return switch (value) {
      case String text -> TEXT + text.length();
      case Map<?, ?> map -> {
        long sum = 2;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          sum += text(entry.getKey()) + text(entry.getValue());
        }
        yield sum;
      }
      case List<?> list -> {
        long sum = 2;
        for (Object item : list) {
          sum += text(item);
        }
        yield sum;
      }
      case null, default -> SCALAR;
    };
  }
}
