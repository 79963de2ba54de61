package dev.mooring.sandbox.schema;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes out the fields that a schema does not know, and remembers where they were. Untouched
 * branches are shared with the original.
 */
final class Pruner {
  /** More are not listed: a warning header carries each. */
  private static final int PATHS_MAX = 1000;

  private static final Set<String> TYPE_AND_METADATA = Set.of("apiVersion", "kind", "metadata");

  private static final Structural UNDESCRIBED = Structural.of(Map.of());

  private final StringBuilder path = new StringBuilder();
  private final List<String> unknown = new ArrayList<>();

  private Pruner() {}

  /** Prunes a whole resource: its type and metadata are not the schema's business. */
  static CompiledSchema.Pruned prune(KubeObject resource, Structural schema) {
    var pruner = new Pruner();
    Map<String, Object> tree =
        pruner.object(resource.tree(), schema, TYPE_AND_METADATA, schema.preservesUnknown());
    Collections.sort(pruner.unknown);
    return new CompiledSchema.Pruned(KubeObject.owning(tree), List.copyOf(pruner.unknown));
  }

  /** Prunes a value at the place that the schema describes. */
  static @Nullable Object prune(@Nullable Object value, Structural schema) {
    return new Pruner().value(value, schema, false);
  }

  private @Nullable Object value(
      @Nullable Object value, @Nullable Structural described, boolean preserved) {
    Structural schema = described == null ? UNDESCRIBED : described;
    boolean preserving = preserved || schema.preservesUnknown();
    return switch (value) {
      case Map<?, ?> map ->
          object(cast(map), schema, schema.embedded() ? TYPE_AND_METADATA : Set.of(), preserving);
      case List<?> list when !preserved -> items(list, schema);
      case null, default -> value;
    };
  }

  /**
   * The described fields, pruned.
   *
   * @param preserving whether the others are kept
   */
  private Map<String, Object> object(
      Map<String, Object> object, Structural schema, Set<String> exempt, boolean preserving) {
    LinkedHashMap<String, Object> copy = null;
    for (Map.Entry<String, Object> entry : object.entrySet()) {
      String key = entry.getKey();
      Structural property = schema.property(key);
      if (exempt.contains(key) || property == null && preserving) {
        continue;
      }
      if (property == null && schema.additionalAllowed() == null) {
        record(key);
        copy = copy == null ? new LinkedHashMap<>(object) : copy;
        copy.remove(key);
        continue;
      }
      int length = path.length();
      append(key);
      Object pruned = value(entry.getValue(), property, false);
      path.setLength(length);
      if (pruned != entry.getValue()) {
        copy = copy == null ? new LinkedHashMap<>(object) : copy;
        copy.put(key, pruned);
      }
    }
    return copy == null ? object : Trees.owned(copy);
  }

  /** A list that preserves unknown fields preserves those of its items as well. */
  private List<?> items(List<?> list, Structural schema) {
    ArrayList<Object> copy = null;
    for (int index = 0; index < list.size(); index++) {
      int length = path.length();
      path.append('[').append(index).append(']');
      Object pruned = value(list.get(index), schema.items(), schema.preservesUnknown());
      path.setLength(length);
      if (pruned != list.get(index)) {
        copy = copy == null ? new ArrayList<>(list) : copy;
        copy.set(index, pruned);
      }
    }
    return copy == null ? list : Trees.owned(copy);
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
