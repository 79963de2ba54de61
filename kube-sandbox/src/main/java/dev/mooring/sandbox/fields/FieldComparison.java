package dev.mooring.sandbox.fields;

import dev.mooring.model.object.Trees;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which fields differ between two versions of an object. What only the server writes does not
 * count. Follows {@code sigs.k8s.io/structured-merge-diff}'s comparison.
 *
 * @param changed added or modified paths
 * @param removed paths that are gone
 */
record FieldComparison(FieldSet changed, FieldSet removed) {
  private static final List<String> SYSTEM_METADATA =
      List.of(
          "name",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "selfLink",
          "managedFields");

  /** Where there is not even null. */
  static final Object ABSENT = new Object();

  static FieldComparison of(
      Map<String, Object> before, Map<String, Object> after, FieldSchema schema) {
    Map<String, Object> old = written(before);
    Map<String, Object> fresh = written(after);
    return new FieldComparison(added(old, fresh, schema, true), gone(old, fresh, schema));
  }

  /** Without the fields of the object that a way of writing does not change. */
  FieldComparison without(Collection<String> fields) {
    return new FieldComparison(changed.withoutFields(fields), removed.withoutFields(fields));
  }

  /** All that is in an object, as if it had just been made. */
  static FieldSet all(Map<String, Object> object, FieldSchema schema) {
    return added(Map.of(), written(object), schema, true);
  }

  /** The part of an object that managers can own. */
  static Map<String, Object> written(Map<String, Object> tree) {
    var written = new LinkedHashMap<>(tree);
    written.remove("apiVersion");
    written.remove("kind");
    var metadata = new LinkedHashMap<>(Trees.map(tree, "metadata"));
    SYSTEM_METADATA.forEach(metadata::remove);
    written.remove("metadata");
    if (!metadata.isEmpty()) {
      written.put("metadata", metadata);
    }
    return written;
  }

  /**
   * What is in {@code after} and not, or differently, in {@code before}.
   *
   * @param inObject whether what surrounds the place was there before
   */
  private static FieldSet added(
      @Nullable Object before, @Nullable Object after, FieldSchema schema, boolean inObject) {
    if (before == ABSENT && schema.alwaysPresent() && inObject) {
      return added(Map.of(), after, schema, true);
    }
    boolean isNew = before == ABSENT;
    if (!isNew && Objects.equals(before, after)) {
      return FieldSet.EMPTY;
    }
    var children = new TreeMap<String, FieldSet>();
    if (after instanceof Map<?, ?> map
        && !schema.atomicMap()
        && !(map.isEmpty() && isEmpty(before))) {
      Map<String, Object> old = Trees.mapOrEmpty(before);
      Trees.mapOrEmpty(after)
          .forEach((key, value) ->
              put(
                  children,
                  "f:" + key,
                  added(old.getOrDefault(key, ABSENT), value, schema.field(key), !isNew)));
      return new FieldSet(!(before instanceof Map<?, ?>), children);
    }
    if (after instanceof List<?> list
        && schema.listKind() != FieldSchema.ListKind.ATOMIC
        && !(list.isEmpty() && isEmpty(before))) {
      Map<String, Object> old = byStep(before, schema);
      byStep(after, schema)
          .forEach((step, item) ->
              put(
                  children,
                  step,
                  added(old.getOrDefault(step, ABSENT), item, schema.items(), !isNew)));
      return new FieldSet(isNew, children);
    }
    return FieldSet.SELF;
  }

  private static boolean isEmpty(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> map.isEmpty();
      case List<?> list -> list.isEmpty();
      case null, default -> true;
    };
  }

  private static FieldSet gone(
      @Nullable Object before, @Nullable Object after, FieldSchema schema) {
    if (before == ABSENT || Objects.equals(before, after)) {
      return FieldSet.EMPTY;
    }
    if (after == ABSENT) {
      return FieldSet.SELF;
    }
    var children = new TreeMap<String, FieldSet>();
    if (before instanceof Map<?, ?> && after instanceof Map<?, ?> && !schema.atomicMap()) {
      Map<String, Object> fresh = Trees.mapOrEmpty(after);
      Trees.mapOrEmpty(before)
          .forEach((key, value) ->
              put(
                  children,
                  "f:" + key,
                  gone(value, fresh.getOrDefault(key, ABSENT), schema.field(key))));
    } else if (before instanceof List<?> && schema.listKind() != FieldSchema.ListKind.ATOMIC) {
      Map<String, Object> fresh = byStep(after, schema);
      byStep(before, schema)
          .forEach((step, item) ->
              put(children, step, gone(item, fresh.getOrDefault(step, ABSENT), schema.items())));
    }
    return new FieldSet(false, children);
  }

  static Map<String, Object> byStep(@Nullable Object list, FieldSchema schema) {
    var items = new LinkedHashMap<String, Object>();
    for (Object item : Trees.listOrEmpty(list)) {
      items.put(schema.step(item), item);
    }
    return items;
  }

  private static void put(TreeMap<String, FieldSet> children, String step, FieldSet found) {
    if (!found.isEmpty()) {
      children.put(step, found);
    }
  }
}
