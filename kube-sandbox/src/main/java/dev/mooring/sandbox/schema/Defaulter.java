package dev.mooring.sandbox.schema;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fills in the defaults of a schema, and drops nulls that the schema neither allows nor can
 * replace. Untouched branches are shared with the original; defaults are shared between objects.
 */
final class Defaulter {
  private Defaulter() {}

  static Map<String, Object> apply(Map<String, Object> object, Structural schema) {
    LinkedHashMap<String, Object> copy = null;
    for (Map.Entry<String, Object> entry : object.entrySet()) {
      Structural property = schema.property(entry.getKey());
      if (property == null) {
        continue;
      }
      Object before = entry.getValue();
      if (before == null && !property.nullable()) {
        copy = copy == null ? new LinkedHashMap<>(object) : copy;
        if (property.defaultValue() == null) {
          copy.remove(entry.getKey());
        } else {
          copy.put(entry.getKey(), value(property.defaultValue(), property));
        }
        continue;
      }
      Object after = value(before, property);
      if (after != before) {
        copy = copy == null ? new LinkedHashMap<>(object) : copy;
        copy.put(entry.getKey(), after);
      }
    }
    for (Map.Entry<String, Structural> property : schema.properties().entrySet()) {
      Structural described = property.getValue();
      if (described.defaultValue() != null && !object.containsKey(property.getKey())) {
        copy = copy == null ? new LinkedHashMap<>(object) : copy;
        copy.put(property.getKey(), value(described.defaultValue(), described));
      }
    }
    return copy == null ? object : Trees.owned(copy);
  }

  @SuppressWarnings("unchecked") // keys of a tree are strings by construction
  private static @Nullable Object value(@Nullable Object value, Structural schema) {
    return switch (value) {
      case Map<?, ?> map -> apply((Map<String, Object>) map, schema);
      case List<?> list when schema.items() != null -> items(list, schema.items());
      case null, default -> value;
    };
  }

  /** A null item stays, as removing it would move the others; validation will refuse it. */
  private static List<?> items(List<?> list, Structural schema) {
    ArrayList<Object> copy = null;
    for (int index = 0; index < list.size(); index++) {
      Object before = list.get(index);
      Object after =
          value(before == null && !schema.nullable() ? schema.defaultValue() : before, schema);
      if (after != before) {
        copy = copy == null ? new ArrayList<>(list) : copy;
        copy.set(index, after);
      }
    }
    return copy == null ? list : Trees.owned(copy);
  }
}
