package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How Go fails to read an object into its own type (apimachinery {@code
 * runtime.DefaultUnstructuredConverter}), which kcp does before it validates.
 */
public final class GoConversion {
  private GoConversion() {}

  /**
   * What is wrong with the first value of a wrong type; empty if there is none.
   *
   * @param schema of the value in OpenAPI v3
   */
  public static Optional<String> fault(Map<String, Object> schema, @Nullable Object value) {
    if (value == null) {
      return Optional.empty();
    }
    return switch (Trees.text(schema, "type")) {
      case "object" -> ofObject(schema, value);
      case "array" ->
          value instanceof List<?> items
              ? items.stream()
                  .map(item -> fault(Trees.mapOrEmpty(schema.get("items")), item))
                  .flatMap(Optional::stream)
                  .findFirst()
              : Optional.of("cannot restore slice from " + kind(value));
      case "string" ->
          value instanceof Long
              ? Optional.of("cannot convert int64 to string")
              : unless(value instanceof String, "string");
      case "boolean" -> unless(value instanceof Boolean, "bool");
      case "integer" -> unless(value instanceof Long, "int64");
      default -> Optional.empty();
    };
  }

  private static Optional<String> ofObject(Map<String, Object> schema, Object value) {
    Map<String, Object> properties = Trees.mapOrEmpty(schema.get("properties"));
    if (!(value instanceof Map)) {
      return Optional.of(
          (properties.isEmpty() ? "cannot restore map from " : "cannot restore struct from: ")
              + kind(value));
    }
    Map<String, Object> rest = Trees.mapOrEmpty(schema.get("additionalProperties"));
    return Trees.mapOrEmpty(value).entrySet().stream()
        .map(field ->
            fault(
                Trees.mapOrEmpty(properties.getOrDefault(field.getKey(), rest)), field.getValue()))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> unless(boolean fits, String type) {
    return fits ? Optional.empty() : Optional.of("unrecognized type: " + type);
  }

  private static String kind(Object value) {
    return switch (value) {
      case String _ -> "string";
      case Boolean _ -> "bool";
      case Map<?, ?> _ -> "map";
      case List<?> _ -> "slice";
      case Double _ -> "float64";
      default -> "int64";
    };
  }
}
