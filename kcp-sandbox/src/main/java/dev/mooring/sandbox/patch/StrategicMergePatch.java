package dev.mooring.sandbox.patch;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.patch.PatchFailure.Cause;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Kubernetes' strategic merge patches: as merge patches, but lists with a merge key are merged item
 * by item, and directives ({@code $patch}, {@code $deleteFromPrimitiveList/...}, {@code
 * $setElementOrder/...}) steer. Source: {@code apimachinery/pkg/util/strategicpatch}.
 */
public final class StrategicMergePatch {
  private static final String DIRECTIVE = "$patch";
  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
  private static final String ORDER = "$setElementOrder/";
  private static final String RETAIN = "$retainKeys";

  private StrategicMergePatch() {}

  /** Throws {@link PatchFailure} for an unknown directive. */
  public static Map<String, Object> apply(
      Map<String, Object> target, Map<String, Object> patch, FieldSchema schema) {
    return Trees.freezeMap(merged(target, patch, schema));
  }

  private static Map<String, Object> merged(
      Map<String, Object> target, Map<String, Object> patch, FieldSchema schema) {
    Object directive = patch.get(DIRECTIVE);
    if (directive != null) {
      return directed(patch, directive);
    }
    var result = new LinkedHashMap<>(target);
    if (patch.get(RETAIN) instanceof List<?> retained) {
      result.keySet().removeIf(key -> !retained.contains(key));
    }
    patch.forEach((key, change) -> {
      if (key.startsWith(DELETE_FROM)) {
        String field = key.substring(DELETE_FROM.length());
        var left = new ArrayList<>(Trees.listOrEmpty(result.get(field)));
        left.removeAll(Trees.listOrEmpty(change));
        result.put(field, left);
      } else if (!key.startsWith(ORDER) && !key.equals(RETAIN)) {
        mergeField(result, key, change, schema.field(key));
      }
    });
    patch.forEach((key, order) -> {
      if (key.startsWith(ORDER)) {
        String field = key.substring(ORDER.length());
        reorder(result, field, Trees.listOrEmpty(order), schema.field(field));
      }
    });
    return result;
  }

  private static Map<String, Object> directed(Map<String, Object> patch, Object directive) {
    return switch (Trees.textOrEmpty(directive)) {
      case "replace" -> {
        var replacement = new LinkedHashMap<>(patch);
        replacement.remove(DIRECTIVE);
        yield replacement;
      }
      case "delete" -> new LinkedHashMap<>();
      default -> throw new PatchFailure(Cause.MALFORMED, "unrecognized directive " + directive);
    };
  }

  private static void mergeField(
      Map<String, Object> result, String key, Object change, FieldSchema schema) {
    switch (change) {
      case null -> result.remove(key);
      case Map<?, ?> map ->
          result.put(key, merged(Trees.mapOrEmpty(result.get(key)), Trees.mapOrEmpty(map), schema));
      case List<?> list ->
          result.put(
              key, mergedList(Trees.listOrEmpty(result.get(key)), Trees.listOrEmpty(list), schema));
      default -> result.put(key, change);
    }
  }

  private static List<Object> mergedList(
      List<Object> target, List<Object> patch, FieldSchema schema) {
    if (schema.mergeKey().isPresent()) {
      return mergedByKey(target, patch, schema, schema.mergeKey().get());
    }
    if (schema.mergesScalars()) {
      var all = new ArrayList<>(target);
      patch.stream().filter(item -> !all.contains(item)).forEach(all::add);
      return all;
    }
    return patch;
  }

  private static List<Object> mergedByKey(
      List<Object> target, List<Object> patch, FieldSchema schema, String key) {
    if (patch.stream().anyMatch(item -> isDirective(item, "replace"))) {
      return patch.stream().filter(item -> !isDirective(item, "replace")).toList();
    }
    var result = new ArrayList<>(target);
    // New items come first, in the order of the patch, as Kubernetes puts them.
    var fresh = new ArrayList<Object>();
    for (Object item : patch) {
      Object id = Trees.at(item, key);
      if (id == null) {
        throw new PatchFailure(
            Cause.MALFORMED, "map: " + item + " does not contain declared merge key: " + key);
      }
      int at = position(result, key, id);
      if (isDirective(item, "delete")) {
        result.removeIf(there -> Objects.equals(Trees.at(there, key), id));
      } else if (at >= 0) {
        result.set(
            at, merged(Trees.mapOrEmpty(result.get(at)), Trees.mapOrEmpty(item), schema.items()));
      } else {
        fresh.add(merged(Map.of(), Trees.mapOrEmpty(item), schema.items()));
      }
    }
    fresh.addAll(result);
    return fresh;
  }

  private static boolean isDirective(Object item, String directive) {
    return directive.equals(Trees.at(item, DIRECTIVE));
  }

  private static int position(List<Object> items, String key, Object id) {
    for (int i = 0; i < items.size(); i++) {
      if (Objects.equals(Trees.at(items.get(i), key), id)) {
        return i;
      }
    }
    return -1;
  }

  private static void reorder(
      Map<String, Object> result, String field, List<Object> order, FieldSchema schema) {
    if (!result.containsKey(field)) {
      return;
    }
    var left = new ArrayList<>(Trees.listOrEmpty(result.get(field)));
    var sorted = new ArrayList<>();
    for (Object wanted : order) {
      Object id = schema.mergeKey().map(key -> Trees.at(wanted, key)).orElse(wanted);
      for (Object item : List.copyOf(left)) {
        Object itemId = schema.mergeKey().map(key -> Trees.at(item, key)).orElse(item);
        if (Objects.equals(itemId, id)) {
          sorted.add(item);
          left.remove(item);
        }
      }
    }
    // What the client did not know of keeps its relative order, behind the rest.
    sorted.addAll(left);
    result.put(field, sorted);
  }
}
