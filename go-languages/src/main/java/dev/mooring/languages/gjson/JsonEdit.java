package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A place in a document that is written to or deleted, with the semantics of <a
 * href="https://github.com/tidwall/sjson">sjson</a>: missing maps and lists are made, {@code -1} is
 * behind the last item (for a deletion: the last item), a leading colon makes a number a field
 * name. Where a path has wildcards or queries, what it finds is replaced, and nothing is made. What
 * a path computes is nowhere, so that writing there changes nothing.
 */
public final class JsonEdit {
  /** A list is filled up with nulls to reach an index; not further than this. */
  public static final int PADDING_MAX = 1024;

  /** Where nothing exists yet. */
  private static final Object ABSENT = new Object();

  private final String text;
  private final List<Part> parts;
  private final JsonPath found;

  /** One component of a plain path. */
  private record Part(String name, Kind kind) {
    /** The index that it asks for; negative if it is a field name. */
    int index() {
      if (kind == Kind.FIELD) {
        return -1;
      }
      return name.isEmpty() ? 0 : JsonPath.index(name);
    }

    boolean isLast() {
      return kind == Kind.ANY && name.equals("-1");
    }
  }

  private enum Kind {
    ANY,
    /** Never an index. */
    FIELD
  }

  private JsonEdit(String text, List<Part> parts, JsonPath found) {
    this.text = text;
    this.parts = List.copyOf(parts);
    this.found = found;
  }

  /** A place to write to; throws {@link InvalidExpression}. */
  public static JsonEdit compile(String text) {
    if (text.isEmpty()) {
      throw new InvalidExpression("the path is empty");
    }
    return isPlain(text)
        ? new JsonEdit(text, parts(text), null)
        : new JsonEdit(text, List.of(), JsonPath.compile(text));
  }

  /**
   * A place to delete, which cannot have wildcards or queries; throws {@link InvalidExpression}.
   */
  public static JsonEdit compileDeletion(String text) {
    JsonEdit edit = compile(text);
    if (edit.parts.isEmpty()) {
      throw new InvalidExpression(
          "the path \"" + text + "\" cannot be deleted: wildcards and queries can only be read");
    }
    return edit;
  }

  /** With the value, a frozen tree, at the place; throws {@link ExpressionFailure}. */
  public Map<String, Object> set(Map<String, Object> document, Object value) {
    if (found == null) {
      return root(set(document, 0, value));
    }
    PathReader.Place place = found.find(document);
    Object tree = document;
    if (place != null) {
      for (List<Object> location : place.locations()) {
        tree = replace(tree, location, 0, value);
      }
    }
    return root(tree);
  }

  /** Without what is at the place; this very document if nothing is there. */
  public Map<String, Object> delete(Map<String, Object> document) {
    return root(delete(document, 0));
  }

  @Override
  public String toString() {
    return text;
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if ("|#@*?".indexOf(text.charAt(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static List<Part> parts(String text) {
    var parts = new ArrayList<Part>();
    var name = new StringBuilder();
    Kind kind = Kind.ANY;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char here = text.charAt(i);
      if (here == ':' && i == start) {
        kind = Kind.FIELD;
      } else if (here == '.') {
        parts.add(new Part(name.toString(), kind));
        name.setLength(0);
        kind = Kind.ANY;
        start = i + 1;
      } else {
        if (here == '\\' && i + 1 < text.length()) {
          here = text.charAt(++i);
        }
        name.append(here);
      }
    }
    parts.add(new Part(name.toString(), kind));
    return parts;
  }

  private Object set(Object here, int depth, Object value) {
    if (depth == parts.size()) {
      return value;
    }
    Part part = parts.get(depth);
    return switch (here) {
      case Map<?, ?> map -> {
        Object before = map.containsKey(part.name()) ? map.get(part.name()) : ABSENT;
        yield with(map, part.name(), set(before, depth + 1, value));
      }
      case List<?> list -> setItem(list, depth, value);
      case null, default ->
          part.index() >= 0 || here == ABSENT && part.isLast()
              ? setItem(List.of(), depth, value)
              : with(Map.of(), part.name(), set(ABSENT, depth + 1, value));
    };
  }

  private Object setItem(List<?> list, int depth, Object value) {
    Part part = parts.get(depth);
    var copy = new ArrayList<Object>(list);
    int known = JsonPath.index(part.name());
    int index = part.index();
    if (known >= 0 && known < copy.size()) {
      copy.set(known, set(copy.get(known), depth + 1, value));
    } else if (index >= 0 || part.isLast()) {
      pad(copy, index);
      copy.add(set(ABSENT, depth + 1, value));
    } else {
      throw new ExpressionFailure(
          "\"" + text + "\": \"" + part.name() + "\" is not an index of the list there");
    }
    return Collections.unmodifiableList(copy);
  }

  private void pad(List<Object> list, int size) {
    if (size - list.size() > PADDING_MAX) {
      throw new ExpressionFailure(
          "\"" + text + "\": the index " + size + " is far behind the end of the list there");
    }
    while (list.size() < size) {
      list.add(null);
    }
  }

  private Object delete(Object here, int depth) {
    Part part = parts.get(depth);
    boolean last = depth == parts.size() - 1;
    switch (here) {
      case Map<?, ?> map when map.containsKey(part.name()) -> {
        if (last) {
          var copy = copy(map);
          copy.remove(part.name());
          return Collections.unmodifiableMap(copy);
        }
        Object before = map.get(part.name());
        Object after = delete(before, depth + 1);
        return after == before ? here : with(map, part.name(), after);
      }
      case List<?> list -> {
        int index = part.isLast() ? list.size() - 1 : JsonPath.index(part.name());
        if (index < 0 || index >= list.size()) {
          return here;
        }
        if (last) {
          var copy = new ArrayList<Object>(list);
          copy.remove(index);
          return Collections.unmodifiableList(copy);
        }
        Object after = delete(list.get(index), depth + 1);
        return after == list.get(index) ? here : with(list, index, after);
      }
      case null, default -> {
        return here;
      }
    }
  }

  private static Object replace(Object here, List<Object> location, int depth, Object value) {
    if (depth == location.size()) {
      return value;
    }
    return switch (location.get(depth)) {
      case Integer index when here instanceof List<?> list ->
          with(list, index, replace(list.get(index), location, depth + 1, value));
      case String name when here instanceof Map<?, ?> map ->
          with(map, name, replace(map.get(name), location, depth + 1, value));
      default -> here;
    };
  }

  private static Object with(List<?> list, int index, Object value) {
    var copy = new ArrayList<Object>(list);
    copy.set(index, value);
    return Collections.unmodifiableList(copy);
  }

  private static Object with(Map<?, ?> map, String name, Object value) {
    var copy = copy(map);
    copy.put(name, value);
    return Collections.unmodifiableMap(copy);
  }

  private static LinkedHashMap<String, Object> copy(Map<?, ?> map) {
    var copy = LinkedHashMap.<String, Object>newLinkedHashMap(map.size() + 1);
    map.forEach((key, item) -> copy.put((String) key, item));
    return copy;
  }

  @SuppressWarnings("unchecked") // the root is a map, and every path has a component
  private static Map<String, Object> root(Object tree) {
    return (Map<String, Object>) tree;
  }
}
