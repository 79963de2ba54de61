package dev.mooring.sandbox.schema.validation;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what occurs twice in lists of type {@code set} and {@code map} (apiextensions {@code
 * pkg/apiserver/schema/listtype}).
 */
public final class ListTypeCheck {
  private static final Object NO_KEY = new Object();

  private ListTypeCheck() {}

  public static void check(
      String path,
      @Nullable Object value,
      Structural schema,
      Collection<? super FieldError> errors) {
    schema.walk(
        path,
        value,
        (here, found, described) -> {
          if (found instanceof List<?> list) {
            switch (described.listType()) {
              case "set" -> checkSet(here, list, errors);
              case "map" -> checkMap(here, list, described.listMapKeys(), errors);
              default -> {}
            }
          }
        });
  }

  private static void checkSet(String path, List<?> list, Collection<? super FieldError> errors) {
    var seen = new HashMap<Object, Integer>();
    for (int index = 0; index < list.size(); index++) {
      if (seen.merge(list.get(index), 1, Integer::sum) == 2) {
        errors.add(FieldError.duplicate(path + "[" + index + "]", list.get(index)));
      }
    }
  }

  private static void checkMap(
      String path, List<?> list, List<String> keys, Collection<? super FieldError> errors) {
    for (int index = 0; index < list.size(); index++) {
      Object item = list.get(index);
      if (item != null && !(item instanceof Map)) {
        errors.add(
            FieldError.invalid(
                path + "[" + index + "]", item, "must be an object for an array of list-type map"));
        return;
      }
    }
    var seen = new HashMap<List<Object>, Integer>();
    for (int index = 0; index < list.size(); index++) {
      Map<String, Object> item = Trees.mapOrEmpty(list.get(index));
      List<Object> identity =
          keys.stream()
              .<Object>map(key -> item.containsKey(key) ? text(item.get(key)) : NO_KEY)
              .toList();
      if (seen.merge(identity, 1, Integer::sum) == 2) {
        var shown = new LinkedHashMap<String, Object>();
        keys.stream().filter(item::containsKey).forEach(key -> shown.put(key, item.get(key)));
        errors.add(FieldError.duplicate(path + "[" + index + "]", shown));
      }
    }
  }

  /** Null is a key like any other. */
  private static Object text(@Nullable Object key) {
    return key == null ? List.of() : key;
  }
}
