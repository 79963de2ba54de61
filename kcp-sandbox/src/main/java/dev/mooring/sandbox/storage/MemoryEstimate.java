package dev.mooring.sandbox.storage;

import java.util.List;
import java.util.Map;

/** How much memory an object takes, about: its tree, and its text once a client has read it. */
final class MemoryEstimate {
  /** An object's header and a few references. */
  private static final long NODE = 48;

  private MemoryEstimate() {}

  /** In bytes. Names of fields are shared between objects, and not counted. */
  static long of(Object tree) {
    return switch (tree) {
      case String text -> NODE + 2L * text.length();
      case Map<?, ?> map -> {
        long sum = NODE;
        for (Object value : map.values()) {
          sum += NODE + of(value);
        }
        yield sum;
      }
      case List<?> list -> {
        long sum = NODE;
        for (Object item : list) {
          sum += of(item);
        }
        yield sum;
      }
      case null, default -> NODE;
    };
  }
}
