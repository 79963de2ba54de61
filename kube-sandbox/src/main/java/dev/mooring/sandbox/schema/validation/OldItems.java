package dev.mooring.sandbox.schema.validation;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a list's item was before: only lists of type {@code map} allow that, by their keys.
 */
public final class OldItems {
  private final List<String> keys;
  private final Map<List<Object>, Object> byKey;

  public OldItems(Structural schema, @Nullable Object old) {
    keys = schema.listMapKeys();
    byKey = HashMap.newHashMap(0);
    if (schema.listType().equals("map") && old instanceof List<?> items) {
      items.forEach(item -> byKey.putIfAbsent(keyOf(item), item));
    }
  }

  /** {@link ValueValidator#NOTHING_OLD} where there was no such item. */
  public @Nullable Object counterpart(@Nullable Object item) {
    return byKey.isEmpty()
        ? ValueValidator.NOTHING_OLD
        : byKey.getOrDefault(keyOf(item), ValueValidator.NOTHING_OLD);
  }

  private List<Object> keyOf(@Nullable Object item) {
    Map<String, Object> object = Trees.mapOrEmpty(item);
    return keys.stream().<Object>map(object::get).map(OldItems::orAbsent).toList();
  }

  private static Object orAbsent(@Nullable Object value) {
    return value == null ? ValueValidator.NOTHING_OLD : value;
  }
}
