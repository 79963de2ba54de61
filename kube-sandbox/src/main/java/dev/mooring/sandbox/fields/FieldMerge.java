package dev.mooring.sandbox.fields;

import static dev.mooring.sandbox.fields.FieldComparison.ABSENT;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.FieldSchema.ListKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges an applied tree into a live one and takes paths out of it. Follows {@code
 * sigs.k8s.io/structured-merge-diff/v6/typed}. Pure.
 */
final class FieldMerge {
  private FieldMerge() {}

  /** The live tree with all that the applied one says; null replaces scalars alone. */
  static @Nullable Object merged(
      Map<String, Object> live, Map<String, Object> applied, FieldSchema schema) {
    Object result = merge(live, applied, schema);
    return result == ABSENT ? Map.of() : result;
  }

  private static @Nullable Object merge(
      @Nullable Object live, @Nullable Object applied, FieldSchema schema) {
    Object shape = applied == ABSENT || applied == null ? live : applied;
    boolean leaf =
        (live == ABSENT || Trees.isEmpty(live)) && (applied == ABSENT || Trees.isEmpty(applied))
            || shape instanceof Map<?, ?> && schema.atomicMap()
            || shape instanceof List<?> && schema.listKind() == ListKind.ATOMIC;
    if (!leaf && shape instanceof Map<?, ?>) {
      return mergeMaps(Trees.mapOrEmpty(live), Trees.mapOrEmpty(applied), schema);
    }
    if (!leaf && shape instanceof List<?>) {
      return mergeLists(Trees.listOrEmpty(live), Trees.listOrEmpty(applied), schema);
    }
    return applied == ABSENT ? live : applied;
  }

  private static Object mergeMaps(
      Map<String, Object> live, Map<String, Object> applied, FieldSchema schema) {
    var result = new LinkedHashMap<String, Object>();
    var keys = new LinkedHashSet<>(live.keySet());
    keys.addAll(applied.keySet());
    for (String key : keys) {
      Object value =
          merge(
              live.getOrDefault(key, ABSENT), applied.getOrDefault(key, ABSENT), schema.field(key));
      if (value != ABSENT) {
        result.put(key, value);
      }
    }
    return result.isEmpty() ? ABSENT : result;
  }

  /**
   * Items that both have come in the order of the applied list; those that only the live one has
   * stay where they were between them as far as that goes.
   */
  private static Object mergeLists(List<Object> live, List<Object> applied, FieldSchema schema) {
    List<String> left = live.stream().map(schema::step).toList();
    List<String> right = applied.stream().map(schema::step).toList();
    Map<String, Object> ours = FieldComparison.byStep(live, schema);
    Map<String, Object> theirs = FieldComparison.byStep(applied, schema);
    var shared = new ArrayList<>(right.stream().filter(ours::containsKey).toList());
    Set<String> taken = new HashSet<>();
    var result = new ArrayList<Object>();
    int l = 0;
    int r = 0;
    while (l < left.size() || r < right.size()) {
      if (l < left.size() && r < right.size()) {
        String step = left.get(l);
        if (step.equals(right.get(r))) {
          taken.add(step);
          result.add(merge(ours.get(step), theirs.get(step), schema.items()));
          l++;
          r++;
          shared.remove(step);
          continue;
        }
        if (theirs.containsKey(step) && !shared.isEmpty() && !shared.getFirst().equals(step)) {
          l++;
          continue;
        }
      }
      if (l < left.size()) {
        String step = left.get(l);
        if (!theirs.containsKey(step)) {
          result.add(live.get(l));
          l++;
          continue;
        }
        if (taken.contains(step)) {
          l++;
        }
      }
      if (r < right.size()) {
        String step = right.get(r);
        taken.add(step);
        result.add(merge(ours.getOrDefault(step, ABSENT), theirs.get(step), schema.items()));
        r++;
        shared.remove(step);
      }
    }
    return result.isEmpty() ? ABSENT : result;
  }

  /** Without the paths of the set and all that is below them; maps and lists stay, if empty. */
  static Object without(@Nullable Object tree, FieldSet dropped, FieldSchema schema) {
    Object left = remove(tree, dropped, schema);
    return left == null ? Map.of() : left;
  }

  /** Null where nothing is left that was not there. */
  private static @Nullable Object remove(
      @Nullable Object value, FieldSet dropped, FieldSchema schema) {
    if (value instanceof Map<?, ?> map) {
      if (map.isEmpty() || schema.atomicMap()) {
        return null;
      }
      var left = new LinkedHashMap<String, Object>();
      boolean matched = false;
      for (Map.Entry<String, Object> entry : Trees.mapOrEmpty(value).entrySet()) {
        FieldSet below = dropped.below("f:" + entry.getKey());
        if (!below.member()) {
          matched |= !below.isEmpty();
          left.put(entry.getKey(), kept(entry.getValue(), below, schema.field(entry.getKey())));
        }
      }
      return left.isEmpty() && !matched ? null : left;
    }
    if (value instanceof List<?> list) {
      if (list.isEmpty() || schema.listKind() == ListKind.ATOMIC) {
        return null;
      }
      var left = new ArrayList<Object>();
      boolean matched = false;
      for (Object item : list) {
        FieldSet below = dropped.below(schema.step(item));
        if (!below.member()) {
          matched |= !below.isEmpty();
          left.add(kept(item, below, schema.items()));
        }
      }
      return left.isEmpty() && !matched ? null : left;
    }
    return value;
  }

  private static @Nullable Object kept(
      @Nullable Object value, FieldSet dropped, FieldSchema schema) {
    if (dropped.isEmpty()) {
      return value;
    }
    Object left = remove(value, dropped, schema);
    if (left != null) {
      return left;
    }
    return switch (value) {
      case Map<?, ?> _ -> Map.of();
      case List<?> _ -> List.of();
      case null, default -> null;
    };
  }
}
