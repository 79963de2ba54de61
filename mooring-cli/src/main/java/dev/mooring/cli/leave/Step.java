package dev.mooring.cli.leave;

import dev.mooring.cli.live.ExportConsumers.Seen;
import dev.mooring.cli.live.Lists;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
  record Work(String object, Runnable action) {}

  /**
   * A step that does the same to each object.
   *
   * @param kind as messages name it
   */
  static Step of(
      String name,
      String effect,
      String kind,
      Supplier<Stream<Seen>> left,
      Consumer<Seen> action,
      String unfinished) {
    return new Step(
        name,
        effect,
        () ->
            left.get()
                .map(seen -> new Work(kind + "/" + seen.title(), () -> action.accept(seen)))
                .toList(),
        unfinished);
  }

  /** Deletes the objects that are read, and no others of their names. */
  static Step deletion(
      String name, String kind, ResourceType type, Supplier<Stream<Seen>> left, String unfinished) {
    return of(name, "delete", kind, left, seen -> delete(type, seen), unfinished);
  }

  static void delete(ResourceType type, Seen seen) {
    KubeObject read = seen.object();
    if (!read.deleting()) {
      seen.workspace()
          .delete(type, read.namespace(), read.name(), new DeleteCondition.SameObject(read.uid()));
    }
  }

  /** Objects at one server. A type that is not served has none. */
  static Stream<Seen> at(KubeClient client, ResourceType type, ListQuery query) {
    return Lists.ifServed(client, type, query).stream()
        .flatMap(List::stream)
        .map(object -> new Seen(object, client));
  }
}
