package dev.mooring.cli.leave;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
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
    /** Deletes the object that was read, and no other of its name. */
    static Work deletion(String object, KubeClient client, ResourceType type, KubeObject read) {
      return new Work(object, () -> delete(client, type, read));
    }

    static void delete(KubeClient client, ResourceType type, KubeObject read) {
      if (!read.deleting()) {
        client.delete(
            type, read.namespace(), read.name(), new DeleteCondition.SameObject(read.uid()));
      }
    }

    /** What something else does. */
    static Work awaited(String object) {
      return new Work(object, () -> {});
    }
  }
}
