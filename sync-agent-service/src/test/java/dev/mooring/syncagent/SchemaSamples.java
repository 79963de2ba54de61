package dev.mooring.syncagent;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Values that an {@code openAPIV3Schema} accepts: what is required, with the first of several
 * alternatives. Rules in CEL are not looked at.
 */
final class SchemaSamples {
  /** Tried in this order against a pattern. */
  private static final List<String> TEXTS =
      List.of(
          "sample",
          "v1",
          "sample.example.io",
          "1",
          "10s",
          "1h",
          "1Gi",
          "100m",
          "/sample",
          "https://sample.example.io",
          "example.io/sample",
          "SAMPLE",
          "sample-1/v1",
          "s",
          "#abc",
          "00:00",
          "* * * * *",
          "2026-01-01T00:00:00Z",
          "c2FtcGxl");

  private SchemaSamples() {}

  /** Required fields only. */
  static Object required(Object schema) {
    return value(schema, 0);
  }

  /**
   * Also what is not required, down to this many levels.
   *
   * @param levels 0 for required fields only
   */
  static Object full(Object schema, int levels) {
    return value(schema, levels);
  }

  private static Object value(Object schema, int levels) {
    Object preset = Trees.at(schema, "default");
    if (preset != null) {
      return preset;
    }
    for (Object choice : Trees.listOrEmpty(Trees.at(schema, "enum"))) {
      if (choice != null && !"".equals(choice)) {
        return choice;
      }
    }
    if (Boolean.TRUE.equals(Trees.at(schema, "x-kubernetes-int-or-string"))) {
      return 1L;
    }
    return switch (Trees.textOrEmpty(Trees.at(schema, "type"))) {
      case "string" -> text(schema);
      case "integer", "number" -> number(schema);
      case "boolean" -> true;
      case "array" -> list(schema, levels);
      default -> object(schema, levels);
    };
  }

  private static Object object(Object schema, int levels) {
    var object = new LinkedHashMap<String, Object>();
    Map<String, Object> properties = Trees.mapOrEmpty(Trees.at(schema, "properties"));
    Set<String> wanted = needed(schema);
    if (levels > 0) {
      wanted.addAll(properties.keySet());
    }
    for (String name : wanted) {
      if (properties.containsKey(name)) {
        object.put(name, value(properties.get(name), Math.max(0, levels - 1)));
      }
    }
    if (Trees.at(schema, "minProperties") instanceof Long least
        && Trees.at(schema, "additionalProperties") != null) {
      for (long i = object.size(); i < least; i++) {
        object.put("key-" + i, value(Trees.at(schema, "additionalProperties"), 0));
      }
    }
    return object;
  }

  private static Set<String> needed(Object schema) {
    var needed = new LinkedHashSet<String>();
    Trees.listOrEmpty(Trees.at(schema, "required")).forEach(name -> needed.add((String) name));
    for (String alternatives : List.of("oneOf", "anyOf")) {
      Trees.listOrEmpty(Trees.at(schema, alternatives)).stream()
          .findFirst()
          .ifPresent(first -> needed.addAll(needed(first)));
    }
    return needed;
  }

  private static List<Object> list(Object schema, int levels) {
    var list = new ArrayList<>();
    long least = Trees.at(schema, "minItems") instanceof Long number ? number : levels > 0 ? 1 : 0;
    for (long i = 0; i < least; i++) {
      list.add(value(Trees.at(schema, "items"), Math.max(0, levels - 1)));
    }
    return list;
  }

  private static Object number(Object schema) {
    Object least = Trees.at(schema, "minimum");
    return least == null ? (Object) 1L : least;
  }

  private static String text(Object schema) {
    String preferred =
        switch (Trees.textOrEmpty(Trees.at(schema, "format"))) {
          case "date-time" -> "2026-01-01T00:00:00Z";
          case "byte" -> "c2FtcGxl";
          case "uri" -> "https://sample.example.io";
          case "duration" -> "10s";
          default -> "sample";
        };
    String pattern = Trees.textOrEmpty(Trees.at(schema, "pattern"));
    long longest = Trees.at(schema, "maxLength") instanceof Long number ? number : Long.MAX_VALUE;
    long shortest = Trees.at(schema, "minLength") instanceof Long number ? number : 0;
    var candidates = new ArrayList<String>();
    candidates.add(preferred);
    candidates.addAll(TEXTS);
    return candidates.stream()
        .filter(text -> text.length() >= shortest && text.length() <= longest)
        .filter(text -> pattern.isEmpty() || Pattern.compile(pattern).matcher(text).find())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no sample matches " + pattern));
  }
}
