package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Paths to fields of a schema, such as {@code .spec.names['a']} (apiextensions {@code
 * pkg/apiserver/schema/cel/validation.go}, {@code ValidFieldPath}).
 */
final class FieldPaths {
  private static final Pattern STEP =
      Pattern.compile("\\.(?<name>[^.\\[\\]]+)|\\['(?<quoted>(?:[^'\\\\]|\\\\.)*)'\\]");

  /** The schema of a field, and its path in one spelling. */
  record Found(Map<String, Object> schema, String path) {}

  private FieldPaths() {}

  /**
   * Empty if the path leads to no field of the schema.
   *
   * @param brackets whether the path may name keys in brackets
   */
  static Optional<Found> follow(String text, Map<String, Object> schema, boolean brackets) {
    var path = new StringBuilder();
    Map<String, Object> here = schema;
    Matcher steps = STEP.matcher(text);
    int end = 0;
    while (end < text.length()) {
      if (!steps.find(end) || steps.start() != end || steps.group("name") == null && !brackets) {
        return Optional.empty();
      }
      end = steps.end();
      String name =
          steps.group("name") == null
              ? steps.group("quoted").replaceAll("\\\\(.)", "$1")
              : steps.group("name");
      Map<String, Object> properties = Trees.map(here, "properties");
      Object next = properties.isEmpty() ? here.get("additionalProperties") : properties.get(name);
      if (!(next instanceof Map<?, ?>)) {
        return Optional.empty();
      }
      path.append('.').append(name);
      here = Trees.mapOrEmpty(next);
    }
    return Optional.of(new Found(here, path.toString()));
  }
}
