package dev.mooring.sandbox.patch;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.fields.FieldSchema;
import dev.mooring.sandbox.patch.PatchFailure.Cause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' strategic merge patches: as merge patches, but lists with a merge key are merged item
 * by item, and directives ({@code $patch}, {@code $retainKeys}, {@code
 * $deleteFromPrimitiveList/...}, {@code $setElementOrder/...}) steer. Source: {@code
 * apimachinery/pkg/util/strategicpatch/patch.go}.
 */
public final class StrategicMergePatch {
  private static final String DIRECTIVE = "$patch";
  private static final String DELETE_FROM = "$deleteFromPrimitiveList";
  private static final String ORDER = "$setElementOrder";
  private static final String RETAIN = "$retainKeys";

  private StrategicMergePatch() {}

  /** Throws {@link PatchFailure} for directives that are malformed or do not fit. */
  public static Map<String, Object> apply(
      Map<String, Object> target, Map<String, Object> patch, FieldSchema schema) {
    return Trees.freezeMap(merged(Trees.thawMap(target), Trees.thawMap(patch), schema));
  }

  /** Both maps are used up. */
  private static Map<String, Object> merged(
      Map<String, Object> original, Map<String, Object> patch, FieldSchema schema) {
    if (patch.containsKey(DIRECTIVE)) {
      return directed(patch, patch.get(DIRECTIVE));
    }
    retainKeys(original, patch);
    mergeOrderedLists(original, patch, schema);
    patch.forEach((key, change) -> {
      boolean deletes = key.startsWith(DELETE_FROM);
      String field = deletes ? directedField(key, DELETE_FROM) : key;
      mergeField(original, field, change, deletes, schema.field(field));
    });
    return original;
  }

  private static void mergeField(
      Map<String, Object> original,
      String field,
      @Nullable Object change,
      boolean deletes,
      FieldSchema schema) {
    if (change == null) {
      original.remove(field);
      return;
    }
    Object before = original.get(field);
    if (before instanceof Map<?, ?> map && change instanceof Map<?, ?> changes) {
      original.put(field, merged(cast(map), cast(changes), schema));
    } else if (before instanceof List<?> list && change instanceof List<?> changes) {
      boolean merges = deletes || schema.mergesItems();
      original.put(field, merges ? mergedList(list, changes, deletes, schema) : changes);
    } else if (!deletes || before != null && before.getClass() == change.getClass()) {
      putWithoutDirectives(original, field, withoutNulls(change));
    }
  }

  private static Map<String, Object> directed(
      Map<String, Object> patch, @Nullable Object directive) {
    return switch (Trees.textOrEmpty(directive)) {
      case "replace" -> {
        patch.remove(DIRECTIVE);
        yield patch;
      }
      case "delete" -> new LinkedHashMap<>();
      default -> throw unknown(directive);
    };
  }

  private static void retainKeys(Map<String, Object> original, Map<String, Object> patch) {
    if (!patch.containsKey(RETAIN)) {
      return;
    }
    Object retained = patch.remove(RETAIN);
    boolean fits =
        retained instanceof List<?> keys
            && patch.entrySet().stream()
                .allMatch(entry ->
                    entry.getValue() == null
                        || entry.getKey().startsWith(DELETE_FROM)
                        || entry.getKey().startsWith(ORDER)
                        || keys.contains(entry.getKey()));
    if (!fits) {
      throw new PatchFailure(Cause.MALFORMED, "invalid patch format of retainKeys");
    }
    original.keySet().removeIf(key -> !Trees.listOrEmpty(retained).contains(key));
  }

  private static String directedField(String key, String prefix) {
    int slash = key.indexOf('/');
    if (slash < 0 || !key.substring(0, slash).equals(prefix)) {
      throw new PatchFailure(Cause.MALFORMED, "invalid patch format of " + prefix);
    }
    return key.substring(slash + 1);
  }

  /** Merges the lists that the patch orders, and takes them out of it. */
  private static void mergeOrderedLists(
      Map<String, Object> original, Map<String, Object> patch, FieldSchema schema) {
    for (String key : List.copyOf(patch.keySet())) {
      if (key.startsWith(ORDER)) {
        List<?> order = requireList(patch.remove(key));
        String field = directedField(key, ORDER);
        List<?> before = original.containsKey(field) ? requireList(original.get(field)) : null;
        List<?> changes = patch.containsKey(field) ? requireList(patch.get(field)) : null;
        FieldSchema list = schema.field(field);
        if (before == null && changes == null) {
          continue;
        }
        List<?> merged;
        if (changes == null) {
          merged = Objects.requireNonNull(before);
        } else if (before == null) {
          merged = withoutDirectives(changes);
        } else {
          merged = list.mergesItems() ? mergedList(before, changes, false, list) : changes;
        }
        original.put(
            field, ordered(merged, order, before == null ? List.of() : before, list.mergeKey()));
        patch.remove(field);
      }
    }
  }

  private static List<?> requireList(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw failure("a list that a patch orders must be a list");
  }

  /** By what an item of a list is known: the value of its merge key, or itself. */
  private static Object id(Object item, Optional<String> mergeKey) {
    if (mergeKey.isEmpty()) {
      return item;
    }
    if (!(item instanceof Map<?, ?> map)) {
      throw failure("an item of a list with the merge key " + mergeKey.get() + " must be a map");
    }
    Object id = map.get(mergeKey.get());
    if (id == null) {
      throw failure("an item does not contain the declared merge key " + mergeKey.get());
    }
    return id;
  }

  private static List<Object> mergedList(
      List<?> original, List<?> changes, boolean deletes, FieldSchema schema) {
    List<String> kinds =
        Stream.concat(original.stream(), changes.stream())
            .map(GoText::jsonKind)
            .distinct()
            .toList();
    if (kinds.size() > 1) {
      throw failure("items of lists to be merged must have one type");
    }
    if (!kinds.contains("object")) {
      var all = new LinkedHashSet<Object>(original);
      if (deletes) {
        changes.forEach(all::remove);
        return new ArrayList<>(all);
      }
      all.addAll(changes);
      return ordered(new ArrayList<>(all), changes, original, Optional.empty());
    }
    Optional<String> mergeKey = schema.mergeKey();
    if (mergeKey.isEmpty()) {
      throw failure("lists of maps without a merge key cannot be merged");
    }
    var left = new ArrayList<Object>(original);
    var plain = new ArrayList<Object>();
    boolean replaces = false;
    for (Object item : changes) {
      switch (directive(item)) {
        case null -> plain.add(item);
        case "delete" -> {
          Object gone = id(item, mergeKey);
          left.removeIf(there -> gone.equals(Trees.at(there, mergeKey.get())));
        }
        case "replace" -> replaces = true;
        case "merge" -> throw failure("merging lists cannot yet be specified in the patch");
        default -> throw unknown(Trees.at(item, DIRECTIVE));
      }
    }
    if (replaces) {
      return plain;
    }
    var before = List.copyOf(left);
    for (Object item : plain) {
      Object id = id(item, mergeKey);
      int at = 0;
      while (at < left.size() && !id.equals(Trees.at(left.get(at), mergeKey.get()))) {
        at++;
      }
      if (at < left.size()) {
        left.set(at, merged(cast(left.get(at)), cast(item), schema.items()));
      } else {
        left.add(item);
      }
    }
    return ordered(left, plain, before, mergeKey);
  }

  /** Null if the item carries none. */
  private static @Nullable String directive(Object item) {
    return item instanceof Map<?, ?> map && map.containsKey(DIRECTIVE)
        ? String.valueOf(map.get(DIRECTIVE))
        : null;
  }

  /**
   * The items in the order of the patch, with those that only the server has where they were in
   * between as far as that goes.
   */
  private static List<Object> ordered(
      List<?> merged, List<?> order, List<?> before, Optional<String> mergeKey) {
    List<Object> wanted = ids(order, mergeKey);
    List<Object> known = ids(before, mergeKey);
    var ours = new ArrayList<Object>();
    var theirs = new ArrayList<Object>();
    for (Object item : merged) {
      (wanted.contains(id(item, mergeKey)) ? ours : theirs).add(item);
    }
    ours.sort(Comparator.comparingInt(item -> wanted.indexOf(id(item, mergeKey))));
    theirs.sort(
        Comparator.comparingInt(item -> {
          int at = known.indexOf(id(item, mergeKey));
          return at < 0 ? Integer.MAX_VALUE : at;
        }));
    var result = new ArrayList<Object>();
    int left = 0;
    for (Object item : ours) {
      int at = known.indexOf(id(item, mergeKey));
      while (at >= 0 && left < theirs.size()) {
        int other = known.indexOf(id(theirs.get(left), mergeKey));
        if (other < 0 || other > at) {
          break;
        }
        result.add(theirs.get(left++));
      }
      result.add(item);
    }
    result.addAll(theirs.subList(left, theirs.size()));
    return result;
  }

  private static List<Object> ids(List<?> items, Optional<String> mergeKey) {
    var ids = new ArrayList<Object>();
    items.forEach(item -> ids.add(id(item, mergeKey)));
    return ids;
  }

  private static void putWithoutDirectives(Map<String, Object> map, String field, Object value) {
    if (directive(value) != null) {
      map.remove(field);
    } else {
      map.put(field, value instanceof List<?> list ? withoutDirectives(list) : stripped(value));
    }
  }

  private static Object stripped(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var left = new LinkedHashMap<String, Object>();
        map.forEach((key, below) -> putWithoutDirectives(left, (String) key, below));
        yield left;
      }
      case List<?> list -> withoutDirectives(list);
      default -> value;
    };
  }

  private static List<Object> withoutDirectives(List<?> items) {
    var left = new ArrayList<Object>();
    items.stream()
        .filter(item -> directive(item) == null)
        .map(StrategicMergePatch::stripped)
        .forEach(left::add);
    return left;
  }

  private static Object withoutNulls(Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        map.values().removeIf(Objects::isNull);
        map.values().forEach(StrategicMergePatch::withoutNulls);
      }
      case List<?> list ->
          list.stream().filter(Objects::nonNull).forEach(StrategicMergePatch::withoutNulls);
      default -> {}
    }
    return value;
  }

  private static PatchFailure unknown(@Nullable Object directive) {
    return failure("there is no " + DIRECTIVE + " \"" + directive + "\"");
  }

  /** What Go's API server does not expect, and answers with 500. */
  private static PatchFailure failure(String message) {
    return new PatchFailure(Cause.UNEXPECTED, message);
  }

  @SuppressWarnings("unchecked") // keys of a tree are strings by construction
  private static Map<String, Object> cast(Object map) {
    return (Map<String, Object>) map;
  }
}
