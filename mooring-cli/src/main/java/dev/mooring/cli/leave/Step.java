package dev.mooring.cli.leave;

import java.util.List;
import java.util.function.Supplier;

/**
 * One step of a departure. It is done once nothing is left, however often it was begun: what is
 * left is read again each time, so that an interrupted departure goes on where it was.
 *
 * @param name in two or three words
 * @param effect on each object, such as {@code delete}
 * @param left reads what is left; throws {@link dev.mooring.runtime.client.KubeFailure}
 * @param unfinished what to do if it does not end by itself
 */
record Step(String name, String effect, Supplier<List<Work>> left, String unfinished) {
  /**
   * What is left to do with one object.
   *
   * @param object such as {@code DependencyRule/vm-to-vpc in root:org:compute}
   * @param action does it, or nothing where something else does; a conflict is tried again
   */
  record Work(String object, Runnable action) {
    /** Something that others do. */
    static Work awaited(String object) {
      return new Work(object, () -> {});
    }
  }
}
