package dev.mooring.sandbox.fields;

import dev.mooring.model.object.Trees;
import java.util.HashSet;
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

  static FieldComparison of(
      Map<String, Object> before, Map<String, Object> after, FieldSchema schema) {
    Map<String, Object> old = owned(before);
    Map<String, Object> fresh = owned(after);
    return new FieldComparison(added(old, fresh, schema), gone(old, fresh, schema));
  }

  /** The part of an object that managers can own. */
  static Map<String, Object> owned(Map<String, Object> tree) {
    var owned = new LinkedHashMap<>(tree);
    owned.remove("apiVersion");
    owned.remove("kind");
    var metadata = new LinkedHashMap<>(Trees.mapOrEmpty(tree.get("metadata")));
    SYSTEM_METADATA.forEach(metadata::remove);
    var annotations = new LinkedHashMap<>(Trees.mapOrEmpty(metadata.get("annotations")));
    if (annotations.remove("kcp.io/cluster") != null && annotations.isEmpty()) {
      metadata.remove("annotations");
    } else if (!annotations.isEmpty()) {
      metadata.put("annotations", annotations);
    }
    owned.remove("metadata");
    if (!metadata.isEmpty()) {
      owned.put("metadata", metadata);
    }
    return owned;
  }

  /** What is in {@code after} and not, or differently, in {@code before}. */
  private static FieldSet added(@Nullable Object before, Object after, FieldSchema schema) {
    if (Objects.equals(before, after)) {
      return FieldSet.EMPTY;
    }
    boolean isNew = before == null && !schema.alwaysPresent();
    var children = new TreeMap<String, FieldSet>();
    if (after instanceof Map<?, ?> && !schema.atomicMap()) {
      Map<String, Object> old = Trees.mapOrEmpty(before);
      Trees.mapOrEmpty(after)
          .forEach((key, value) -> {
            FieldSchema below = schema.field(key);
            FieldSet found =
                old.containsKey(key) && value == null && old.get(key) != null
                    ? FieldSet.SELF
                    : added(old.get(key), value, below);
            put(children, "f:" + key, found);
          });
      return new FieldSet(isNew || !(before instanceof Map<?, ?>) && before != null, children);
    }
    if (after instanceof List<?> && schema.listKind() != FieldSchema.ListKind.ATOMIC) {
      Map<String, Object> old = byStep(before, schema);
      byStep(after, schema)
          .forEach((step, item) -> put(children, step, added(old.get(step), item, schema.items())));
      return new FieldSet(isNew, children);
    }
    return FieldSet.SELF;
  }

  private static FieldSet gone(Object before, @Nullable Object after, FieldSchema schema) {
    if (before == null || Objects.equals(before, after)) {
      return FieldSet.EMPTY;
    }
    if (after == null) {
      return FieldSet.SELF;
    }
    var children = new TreeMap<String, FieldSet>();
    if (before instanceof Map<?, ?> && after instanceof Map<?, ?> && !schema.atomicMap()) {
      Map<String, Object> fresh = Trees.mapOrEmpty(after);
      Trees.mapOrEmpty(before)
          .forEach((key, value) ->
              put(children, "f:" + key, gone(value, fresh.get(key), schema.field(key))));
    } else if (before instanceof List<?> && schema.listKind() != FieldSchema.ListKind.ATOMIC) {
      Map<String, Object> fresh = byStep(after, schema);
      var seen = new HashSet<String>();
      byStep(before, schema)
          .forEach((step, item) -> {
            if (seen.add(step)) {
              put(children, step, gone(item, fresh.get(step), schema.items()));
            }
          });
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
