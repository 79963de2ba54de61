package dev.mooring.sandbox.schema;

import dev.mooring.sandbox.schema.model.Structural;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes out the fields that a schema does not know, and remembers where they were. Untouched
 * branches are shared with the original.
 */
final class Pruner {
  /** More are not listed: a warning header carries each. */
  private static final int PATHS_MAX = 1000;

  private static final Set<String> TYPE_AND_METADATA = Set.of("apiVersion", "kind", "metadata");

  private final StringBuilder path = new StringBuilder();
  private final List<String> unknown = new ArrayList<>();

  private Pruner() {}

  /**
   * @param unknownFields sorted, as paths such as {@code spec.parts[0].odd}
   */
  record Pruned(Map<String, Object> tree, List<String> unknownFields) {}

  /** Prunes a whole resource: its type and metadata are not the schema's business. */
  static Pruned prune(Map<String, Object> resource, Structural schema) {
    var pruner = new Pruner();
    Map<String, Object> tree =
        schema.preservesUnknown()
            ? pruner.descend(resource, schema, TYPE_AND_METADATA)
            : pruner.object(resource, schema, TYPE_AND_METADATA);
    Collections.sort(pruner.unknown);
    return new Pruned(tree, List.copyOf(pruner.unknown));
  }

  private Object value(Object value, Structural schema) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> object = cast(map);
        Set<String> exempt =
            schema != null && schema.embedded() ? TYPE_AND_METADATA : Set.<String>of();
        yield schema != null && schema.preservesUnknown()
            ? descend(object, schema, exempt)
            : object(object, schema, exempt);
      }
      case List<?> list -> items(list, schema);
      case null, default -> value;
    };
  }

  /** Removes what is unknown at this level, and descends into the rest. */
  private Map<String, Object> object(
      Map<String, Object> object, Structural schema, Set<String> exempt) {
    Map<String, Object> copy = null;
    for (Map.Entry<String, Object> entry : object.entrySet()) {
      String key = entry.getKey();
      if (exempt.contains(key)) {
        continue;
      }
      if (!known(schema, key)) {
        record(key);
        copy = copy == null ? new LinkedHashMap<>(object) : copy;
        copy.remove(key);
        continue;
      }
      Object pruned = child(key, entry.getValue(), schema.property(key));
      if (pruned != entry.getValue()) {
        copy = copy == null ? new LinkedHashMap<>(object) : copy;
        copy.put(key, pruned);
      }
    }
    return copy == null ? object : Collections.unmodifiableMap(copy);
  }

  /** Keeps everything at this level; branches that the schema describes are pruned again. */
  private Map<String, Object> descend(
      Map<String, Object> object, Structural schema, Set<String> exempt) {
    Map<String, Object> copy = null;
    for (Map.Entry<String, Object> entry : object.entrySet()) {
      String key = entry.getKey();
      Structural property = schema.property(key);
      if (exempt.contains(key) || property == null) {
        continue;
      }
      Object pruned = child(key, entry.getValue(), property);
      if (pruned != entry.getValue()) {
        copy = copy == null ? new LinkedHashMap<>(object) : copy;
        copy.put(key, pruned);
      }
    }
    return copy == null ? object : Collections.unmodifiableMap(copy);
  }

  private List<?> items(List<?> list, Structural schema) {
    Structural items = schema == null ? null : schema.items();
    if (items == null && schema != null && schema.preservesUnknown()) {
      return list;
    }
    List<Object> copy = null;
    for (int index = 0; index < list.size(); index++) {
      int length = path.length();
      path.append('[').append(index).append(']');
      Object pruned =
          schema != null && schema.preservesUnknown()
              ? preserved(list.get(index), items)
              : value(list.get(index), items);
      path.setLength(length);
      if (pruned != list.get(index)) {
        copy = copy == null ? new ArrayList<>(list) : copy;
        copy.set(index, pruned);
      }
    }
    return copy == null ? list : Collections.unmodifiableList(copy);
  }

  private Object preserved(Object item, Structural schema) {
    return item instanceof Map<?, ?> map
        ? descend(cast(map), schema, schema.embedded() ? TYPE_AND_METADATA : Set.of())
        : item;
  }

  private Object child(String key, Object value, Structural schema) {
    if (!(value instanceof Map || value instanceof List)) {
      return value;
    }
    int length = path.length();
    append(key);
    Object pruned = value(value, schema);
    path.setLength(length);
    return pruned;
  }

  private static boolean known(Structural schema, String key) {
    return schema != null
        && (schema.property(key) != null
            || schema.additionalProperties() != Structural.Additional.UNSPECIFIED);
  }

  private void record(String key) {
    if (unknown.size() < PATHS_MAX && !(path.isEmpty() && TYPE_AND_METADATA.contains(key))) {
      int length = path.length();
      append(key);
      unknown.add(path.toString());
      path.setLength(length);
    }
  }

  private void append(String key) {
    if (!path.isEmpty()) {
      path.append('.');
    }
    path.append(key);
  }

  @SuppressWarnings("unchecked") // keys of a tree are strings by construction
  private static Map<String, Object> cast(Map<?, ?> map) {
    return (Map<String, Object>) map;
  }
}
