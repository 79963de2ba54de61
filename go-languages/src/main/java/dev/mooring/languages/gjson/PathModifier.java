package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.gjson.JsonPretty.Layout;
import dev.mooring.languages.gjson.JsonPretty.Order;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What gjson's modifiers, such as {@code @reverse}, make of a value. */
interface PathModifier {
  Set<String> NAMES =
      Set.of(
          "pretty", "ugly", "reverse", "this", "flatten", "join", "valid", "keys", "values",
          "tostr", "fromstr", "group", "dig");

  /**
   * @param value empty where the path before found nothing
   * @return empty if it makes nothing of that
   */
  Optional<Json> apply(Optional<Json> value, PathReader reader);

  private static PathModifier change(UnaryOperator<Json> change) {
    return (value, _) -> value.map(change);
  }

  /** Makes a list of nothing, too. */
  private static PathModifier listing(UnaryOperator<Json> change) {
    return (value, _) -> Optional.of(value.map(change).orElseGet(() -> Json.of(List.of())));
  }

  /** What the path finds in the value, in what is in it, and so on. */
  private static void dig(
      Optional<Json> value, List<PathStep> path, PathReader reader, List<Json> found) {
    reader.find(value, path).ifPresent(found::add);
    Collection<?> items =
        switch (value.map(Json::value).orElse(null)) {
          case Map<?, ?> map -> map.values();
          case List<?> list -> list;
          case null, default -> List.of();
        };
    items.forEach(item -> dig(Optional.of(Json.of(item)), path, reader, found));
  }

  /** A list with the texts of its items as they are; throws {@link ExpressionFailure}. */
  static Json listOf(List<Json> items) {
    var values = new ArrayList<Object>();
    var text = new StringBuilder("[");
    String separator = "";
    for (Json item : items) {
      values.add(item.value());
      text.append(separator).append(item.raw());
      GoJson.requireLength(text.length());
      separator = ",";
    }
    return new Json(values, Optional.of(text.append(']').toString()));
  }

  /**
   * @param name one of {@link #NAMES}
   * @param argument what stands behind the colon; empty if nothing does
   */
  static PathModifier of(String name, String argument, PathParser parser) {
    return switch (name) {
      case "pretty" -> {
        Layout layout = layout(argument);
        yield (value, _) ->
            value.flatMap(json -> Json.parse(JsonPretty.write(json.value(), layout)));
      }
      case "ugly" -> change(PathModifier::compact);
      case "reverse" -> change(PathModifier::reversed);
      case "flatten" -> {
        Depth depth = flag(argument, "deep") ? Depth.ALL : Depth.ONE;
        yield change(value -> flattened(value, depth));
      }
      case "join" ->
          change(flag(argument, "preserve") ? PathModifier::appended : PathModifier::joined);
      case "keys" -> listing(PathModifier::keys);
      case "values" -> listing(PathModifier::values);
      case "tostr" -> (value, _) -> Optional.of(Json.of(value.map(Json::raw).orElse("")));
      case "fromstr" -> (value, _) -> value.flatMap(json -> Json.parse(json.string()));
      case "group" -> (value, _) -> value.flatMap(PathModifier::grouped);
      case "dig" -> {
        List<PathStep> path = parser.inner(argument);
        yield (value, reader) -> {
          var found = new ArrayList<Json>();
          dig(value, path, reader, found);
          return Optional.of(listOf(found));
        };
      }
      default -> (value, _) -> value;
    };
  }

  private static Json compact(Json value) {
    return new Json(value.value(), value.text().map(GoJson::compact));
  }

  private static Map<?, ?> options(String argument) {
    try {
      return JsonReader.read(argument) instanceof Map<?, ?> map ? map : Map.of();
    } catch (ExpressionFailure e) {
      return Map.of();
    }
  }

  private static boolean flag(String argument, String name) {
    return !argument.isEmpty() && PathValues.flag(options(argument).get(name));
  }

  private static Layout layout(String argument) {
    if (argument.isEmpty()) {
      return Layout.DEFAULT;
    }
    Map<?, ?> options = options(argument);
    return new Layout(
        options.containsKey("width")
            ? (int) PathValues.whole(options.get("width"))
            : Layout.DEFAULT.width(),
        space(options, "prefix", Layout.DEFAULT.prefix()),
        space(options, "indent", Layout.DEFAULT.indent()),
        PathValues.flag(options.get("sortKeys")) ? Order.BY_NAME : Order.GIVEN);
  }

  private static String space(Map<?, ?> options, String name, String otherwise) {
    return options.containsKey(name)
        ? JsonPath.text(options.get(name)).replaceAll("[^ \t\r\n]", "")
        : otherwise;
  }

  private static Json reversed(Json value) {
    return switch (value.value()) {
      case List<?> list -> Json.of(new ArrayList<Object>(list.reversed()));
      case Map<?, ?> map -> {
        var fields = new LinkedHashMap<String, Object>();
        new ArrayList<>(map.entrySet())
            .reversed()
            .forEach(field -> fields.put((String) field.getKey(), field.getValue()));
        yield Json.of(fields);
      }
      case null, default -> value;
    };
  }

  /** How far lists in a list are dissolved. */
  enum Depth {
    ONE,
    ALL
  }

  private static Json flattened(Json value, Depth depth) {
    return value.value() instanceof List<?> list ? Json.of(flat(list, depth)) : value;
  }

  private static List<Object> flat(List<?> list, Depth depth) {
    var items = new ArrayList<Object>();
    for (Object item : list) {
      if (item instanceof List<?> inner) {
        items.addAll(depth == Depth.ALL ? flat(inner, depth) : inner);
      } else {
        items.add(item);
      }
    }
    return items;
  }

  /** The first place of a field's name, and its last value. */
  private static Json joined(Json value) {
    if (!(value.value() instanceof List<?> list)) {
      return value;
    }
    var fields = new LinkedHashMap<String, Object>();
    for (Object item : list) {
      if (item instanceof Map<?, ?> map) {
        map.forEach((name, field) -> fields.put((String) name, field));
      }
    }
    return Json.of(fields);
  }

  /** Fields that come again are in the text once more; the first one is their value. */
  private static Json appended(Json value) {
    if (!(value.value() instanceof List<?> list)) {
      return value;
    }
    var fields = new LinkedHashMap<String, Object>();
    var text = new StringBuilder("{");
    String separator = "";
    for (Object item : list) {
      if (item instanceof Map<?, ?> map) {
        map.forEach((name, field) -> fields.putIfAbsent((String) name, field));
        String inner = GoJson.write(map);
        text.append(separator).append(inner, 1, inner.length() - 1);
        separator = ",";
      }
    }
    return new Json(fields, Optional.of(text.append('}').toString()));
  }

  private static Json keys(Json value) {
    return Json.of(
        switch (value.value()) {
          case Map<?, ?> map -> new ArrayList<Object>(map.keySet());
          case List<?> list -> Collections.nCopies(list.size(), null);
          case null, default -> Collections.singletonList(null);
        });
  }

  private static Json values(Json value) {
    return switch (value.value()) {
      case Map<?, ?> map -> Json.of(new ArrayList<Object>(map.values()));
      case List<?> _ -> value;
      case null, default -> Json.of(Collections.singletonList(value.value()));
    };
  }

  /** A map of lists becomes a list of maps. */
  private static Optional<Json> grouped(Json value) {
    if (!(value.value() instanceof Map<?, ?> map)) {
      return Optional.empty();
    }
    var groups = new ArrayList<Map<String, Object>>();
    map.forEach((name, field) -> {
      if (field instanceof List<?> list) {
        for (int i = 0; i < list.size(); i++) {
          if (i == groups.size()) {
            groups.add(new LinkedHashMap<>());
          }
          groups.get(i).put((String) name, list.get(i));
        }
      }
    });
    return Optional.of(Json.of(new ArrayList<Object>(groups)));
  }
}
