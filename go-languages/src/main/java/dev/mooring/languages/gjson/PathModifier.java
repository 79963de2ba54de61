package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.gjson.JsonPretty.Layout;
import dev.mooring.languages.gjson.JsonPretty.Order;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What gjson's modifiers, such as {@code @reverse}, make of a value. */
sealed interface PathModifier {
  Set<String> NAMES =
      Set.of(
          "pretty", "ugly", "reverse", "this", "flatten", "join", "valid", "keys", "values",
          "tostr", "fromstr", "group", "dig");

  /**
   * @param value empty where the path before found nothing
   * @return empty if it makes nothing of that
   */
  Optional<Json> apply(Optional<Json> value, PathReader reader);

  /** The modifiers that look at nothing but the value. */
  interface Change {
    Optional<Json> apply(Json value);
  }

  /** Makes nothing of nothing. */
  record Plain(Change change) implements PathModifier {
    @Override
    public Optional<Json> apply(Optional<Json> value, PathReader reader) {
      return value.flatMap(change::apply);
    }
  }

  /** Makes a list of nothing. */
  record Listing(Change change) implements PathModifier {
    @Override
    public Optional<Json> apply(Optional<Json> value, PathReader reader) {
      return value.isEmpty() ? Optional.of(Json.of(List.of())) : change.apply(value.get());
    }
  }

  /** {@code @tostr}: the JSON text as a string. */
  record ToText() implements PathModifier {
    @Override
    public Optional<Json> apply(Optional<Json> value, PathReader reader) {
      return Optional.of(Json.of(value.map(Json::raw).orElse("")));
    }
  }

  /** {@code @dig:path}: what the path finds in the value, in what is in it, and so on. */
  record Dig(List<PathStep> path) implements PathModifier {
    public Dig {
      path = List.copyOf(path);
    }

    @Override
    public Optional<Json> apply(Optional<Json> value, PathReader reader) {
      var found = new ArrayList<Json>();
      dig(value, reader, found);
      return Optional.of(listOf(found));
    }

    private void dig(Optional<Json> value, PathReader reader, List<Json> found) {
      reader.find(value, path).ifPresent(found::add);
      switch (value.map(Json::value).orElse(null)) {
        case Map<?, ?> map ->
            map.values().forEach(item -> dig(Optional.of(Json.of(item)), reader, found));
        case List<?> list -> list.forEach(item -> dig(Optional.of(Json.of(item)), reader, found));
        case null, default -> {}
      }
    }
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
        yield new Plain(value -> {
          String text = JsonPretty.write(value.value(), layout);
          return Json.parse(text);
        });
      }
      case "ugly" -> new Plain(value -> Optional.of(compact(value)));
      case "reverse" -> new Plain(value -> Optional.of(reversed(value)));
      case "flatten" -> {
        Depth depth = flag(argument, "deep") ? Depth.ALL : Depth.ONE;
        yield new Plain(value -> Optional.of(flattened(value, depth)));
      }
      case "join" -> {
        boolean preserve = flag(argument, "preserve");
        yield new Plain(value -> Optional.of(preserve ? appended(value) : joined(value)));
      }
      case "keys" -> new Listing(PathModifier::keys);
      case "values" -> new Listing(PathModifier::values);
      case "tostr" -> new ToText();
      case "fromstr" -> new Plain(value -> Json.parse(value.string()));
      case "group" -> new Plain(PathModifier::grouped);
      case "dig" -> new Dig(parser.inner(argument));
      default -> new Plain(Optional::of);
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

  private static Optional<Json> keys(Json value) {
    return Optional.of(
        Json.of(
            switch (value.value()) {
              case Map<?, ?> map -> new ArrayList<Object>(map.keySet());
              case List<?> list ->
                  new ArrayList<Object>(java.util.Collections.nCopies(list.size(), null));
              case null, default -> java.util.Collections.singletonList(null);
            }));
  }

  private static Optional<Json> values(Json value) {
    return Optional.of(
        switch (value.value()) {
          case Map<?, ?> map -> Json.of(new ArrayList<Object>(map.values()));
          case List<?> _ -> value;
          case null, default -> Json.of(java.util.Collections.singletonList(value.value()));
        });
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
