package dev.mooring.model.object;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Immutable JSON values made of plain Java: {@code Map<String, Object>} in the order of the text,
 * {@code List<Object>}, {@code String}, {@code Boolean}, {@code Long}, {@code BigInteger}, {@code
 * Double}, {@code BigDecimal} and null. Whole numbers are {@code Long} wherever they fit, so that
 * equal documents are equal values.
 */
public final class Trees {
  /**
   * So many maps and lists within each other. Deeper documents are refused: they come from mistakes
   * or attacks, and recursion has to end.
   */
  public static final int DEPTH_MAX = 512;

  /** Why a deeper document is refused, for people. */
  public static final String TOO_DEEP = "nested deeper than " + DEPTH_MAX + " levels";

  private Trees() {}

  /**
   * A deep, unmodifiable copy, which shares the immutable branches of the value; throws {@link
   * IllegalArgumentException} for anything that is not JSON.
   */
  public static @Nullable Object freeze(@Nullable Object value) {
    return freeze(value, 0);
  }

  /** As {@link #freeze(Object)}, for the root of a document. */
  public static Map<String, Object> freezeMap(Map<String, ?> map) {
    return freezeMap(map, 0);
  }

  /**
   * The map, made unmodifiable and small. For codecs: its values must be those of a tree already,
   * and nothing else may hold on to it.
   */
  public static Map<String, Object> owned(LinkedHashMap<String, Object> map) {
    return map.size() <= SmallMap.ENTRIES_MAX ? SmallMap.copyOf(map) : new LargeMap(map);
  }

  /** As {@link #owned(LinkedHashMap)}, of a list. */
  public static List<Object> owned(ArrayList<Object> list) {
    return new FrozenList(list.toArray());
  }

  /**
   * A map that keeps the order of its entries and may be edited; throws for a key without value.
   */
  public static LinkedHashMap<String, Object> ordered(@Nullable Object... keysAndValues) {
    var map = LinkedHashMap.<String, Object>newLinkedHashMap(keysAndValues.length / 2);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  /** As {@link #ordered}, without the entries whose values are {@link #isEmpty}. */
  public static LinkedHashMap<String, Object> orderedNonEmpty(@Nullable Object... keysAndValues) {
    var map = ordered(keysAndValues);
    map.values().removeIf(Trees::isEmpty);
    return map;
  }

  /** Whether the value is null, an empty text, an empty map or an empty list. */
  public static boolean isEmpty(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case String text -> text.isEmpty();
      case Map<?, ?> map -> map.isEmpty();
      case List<?> list -> list.isEmpty();
      default -> false;
    };
  }

  /**
   * A deep copy that the caller may edit: {@code LinkedHashMap} and {@code ArrayList} throughout.
   */
  public static @Nullable Object thaw(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> thawMap(map);
      case List<?> list -> {
        var copy = new ArrayList<Object>(list.size());
        list.forEach(item -> copy.add(thaw(item)));
        yield copy;
      }
      case null, default -> value;
    };
  }

  public static LinkedHashMap<String, Object> thawMap(Map<?, ?> map) {
    var copy = LinkedHashMap.<String, Object>newLinkedHashMap(map.size());
    map.forEach((key, item) -> copy.put((String) key, thaw(item)));
    return copy;
  }

  /** The value at a path of map keys; null where a step is missing, null, or not a map. */
  public static @Nullable Object at(@Nullable Object root, String... path) {
    Object here = root;
    for (String step : path) {
      if (!(here instanceof Map<?, ?> map)) {
        return null;
      }
      here = map.get(step);
    }
    return here;
  }

  /** The map as it is; empty where the value is anything but a map. */
  @SuppressWarnings("unchecked") // keys of a tree are strings by construction
  public static Map<String, Object> mapOrEmpty(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  /** The list as it is; empty where the value is anything but a list. */
  @SuppressWarnings("unchecked") // a tree's lists hold tree values by construction
  public static List<Object> listOrEmpty(@Nullable Object value) {
    return value instanceof List<?> list ? (List<Object>) list : List.of();
  }

  /** The text as it is; empty where the value is anything but a string. */
  public static String textOrEmpty(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }

  /** The texts of a list; empty where the value is anything else. Other items are left out. */
  public static List<String> texts(@Nullable Object value) {
    return listOrEmpty(value).stream()
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .toList();
  }

  /** The entries of a map whose values are strings; empty where the value is anything else. */
  public static Map<String, String> textEntries(@Nullable Object value) {
    var texts = new LinkedHashMap<String, String>();
    mapOrEmpty(value)
        .forEach((key, item) -> {
          if (item instanceof String text) {
            texts.put(key, text);
          }
        });
    return Collections.unmodifiableMap(texts);
  }

  /** The map at a path of map keys; empty where there is none. */
  public static Map<String, Object> map(@Nullable Object root, String... path) {
    return mapOrEmpty(at(root, path));
  }

  /** The list at a path of map keys; empty where there is none. */
  public static List<Object> list(@Nullable Object root, String... path) {
    return listOrEmpty(at(root, path));
  }

  /** The text at a path of map keys; empty where there is none. */
  public static String text(@Nullable Object root, String... path) {
    return textOrEmpty(at(root, path));
  }

  /** Puts the text under the key, unless it is empty. */
  public static void putUnlessEmpty(Map<String, Object> map, String key, String text) {
    if (!text.isEmpty()) {
      map.put(key, text);
    }
  }

  /**
   * A copy of {@code root} with {@code value} at the path; missing maps are made, anything else in
   * the way is replaced. Untouched branches are shared.
   */
  static Map<String, Object> with(
      Map<String, Object> root, @Nullable Object value, String[] path, int step) {
    var copy = new LinkedHashMap<>(root);
    String key = path[step];
    copy.put(
        key,
        step == path.length - 1 ? value : with(mapOrEmpty(root.get(key)), value, path, step + 1));
    return owned(copy);
  }

  /**
   * A copy of {@code root} without what is at the path; {@code root} itself if nothing is there.
   */
  static Map<String, Object> without(Map<String, Object> root, String[] path, int step) {
    String key = path[step];
    if (!root.containsKey(key)) {
      return root;
    }
    var copy = new LinkedHashMap<>(root);
    if (step == path.length - 1) {
      copy.remove(key);
    } else {
      Map<String, Object> branch = mapOrEmpty(root.get(key));
      Map<String, Object> pruned = without(branch, path, step + 1);
      if (pruned == branch) {
        return root;
      }
      copy.put(key, pruned);
    }
    return owned(copy);
  }

  private static @Nullable Object freeze(@Nullable Object value, int depth) {
    return switch (value) {
      case null -> null;
      case String text -> text;
      case Boolean flag -> flag;
      case Long number -> number;
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Double number -> number;
      case Float number -> number.doubleValue();
      case BigInteger number ->
          number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
      case BigDecimal number -> number;
      case Frozen frozen when frozen.fitsAt(depth) -> frozen;
      case Map<?, ?> map -> freezeMap(map, depth);
      case List<?> list -> {
        requireWithin(depth);
        var copy = new ArrayList<Object>(list.size());
        for (Object item : list) {
          copy.add(freeze(item, depth + 1));
        }
        yield owned(copy);
      }
      default ->
          throw new IllegalArgumentException("not a JSON value: " + value.getClass().getName());
    };
  }

  private static void requireWithin(int depth) {
    if (depth >= DEPTH_MAX) {
      throw new IllegalArgumentException(TOO_DEEP);
    }
  }

  @SuppressWarnings("unchecked") // keys of a frozen map are strings by construction
  private static Map<String, Object> freezeMap(Map<?, ?> map, int depth) {
    if (map instanceof Frozen frozen && frozen.fitsAt(depth)) {
      return (Map<String, Object>) map;
    }
    requireWithin(depth);
    var copy = LinkedHashMap.<String, Object>newLinkedHashMap(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new IllegalArgumentException("not a JSON key: " + entry.getKey());
      }
      copy.put(key, freeze(entry.getValue(), depth + 1));
    }
    return owned(copy);
  }
}
