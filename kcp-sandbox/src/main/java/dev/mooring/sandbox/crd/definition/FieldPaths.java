package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Paths to fields of a schema, such as {@code .spec.names['a']} (apiextensions {@code
 * pkg/apiserver/schema/cel/validation.go}, {@code ValidFieldPath}).
 */
final class FieldPaths {
  private static final Pattern TOKEN =
      Pattern.compile("'(?:[^'\\\\]|\\\\.)*'|[.\\[\\]]|[^.\\[\\]]+");
  private static final String NOWHERE = "does not refer to a valid field";
  private static final String END = "unexpected end of JSON path";

  /** Whether a path may name keys in brackets. */
  enum Brackets {
    ALLOWED,
    FORBIDDEN
  }

  /** What a path leads to. */
  sealed interface Outcome {
    /** The schema of the field, and its path in one spelling. */
    record Found(Map<String, Object> schema, String path) implements Outcome {}

    record Lost(String why) implements Outcome {}
  }

  private final Matcher tokens;
  private final StringBuilder path = new StringBuilder();
  private Map<String, Object> schema;

  private FieldPaths(String text, Map<String, Object> schema) {
    this.tokens = TOKEN.matcher(text);
    this.schema = schema;
  }

  /** A path that cannot be followed. */
  private static final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Lost(String why) {
      super(why, null, false, false);
    }
  }

  static Outcome follow(String text, Map<String, Object> schema, Brackets brackets) {
    var paths = new FieldPaths(text, schema);
    try {
      paths.follow(brackets);
      return new Outcome.Found(paths.schema, paths.path.toString());
    } catch (Lost lost) {
      return new Outcome.Lost(String.valueOf(lost.getMessage()));
    }
  }

  private void follow(Brackets brackets) {
    while (tokens.find()) {
      switch (tokens.group()) {
        case "[" -> {
          if (brackets == Brackets.FORBIDDEN) {
            throw new Lost("array notation is not allowed");
          }
          String quoted = next();
          if (quoted.length() < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
            throw new Lost("expected single quoted string but got " + quoted);
          }
          step(quoted.substring(1, quoted.length() - 1).replaceAll("\\\\(.)", "$1"));
          String close = next();
          if (!close.equals("]")) {
            throw new Lost("expected ] but got " + close);
          }
        }
        case "." -> step(next());
        default -> throw new Lost("expected [ or . but got: " + tokens.group());
      }
    }
  }

  private String next() {
    if (!tokens.find()) {
      throw new Lost(END);
    }
    return tokens.group();
  }

  private void step(String name) {
    Object properties = schema.get("properties");
    Object next =
        Trees.mapOrEmpty(properties).isEmpty()
            ? schema.get("additionalProperties")
            : Trees.at(properties, name);
    if (!(next instanceof Map<?, ?>)) {
      throw new Lost(NOWHERE);
    }
    path.append('.').append(name);
    schema = Trees.mapOrEmpty(next);
  }
}
