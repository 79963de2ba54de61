package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether Go can read an object into its own type (apimachinery {@code
 * runtime.DefaultUnstructuredConverter}), as kcp does before it validates.
 */
public final class GoConversion {
  private GoConversion() {}

  /**
   * Whether all values have the type that the schema says.
   *
   * @param schema of the value in OpenAPI v3
   */
  public static boolean fits(Map<String, Object> schema, @Nullable Object value) {
    if (value == null) {
      return true;
    }
    return switch (Trees.text(schema, "type")) {
      case "object" -> value instanceof Map<?, ?> && fieldsFit(schema, Trees.mapOrEmpty(value));
      case "array" ->
          value instanceof List<?> items
              && items.stream().allMatch(item -> fits(Trees.mapOrEmpty(schema.get("items")), item));
      case "string" -> value instanceof String;
      case "boolean" -> value instanceof Boolean;
      case "integer" -> value instanceof Long;
      default -> true;
    };
  }

  private static boolean fieldsFit(Map<String, Object> schema, Map<String, Object> object) {
    Map<String, Object> properties = Trees.map(schema, "properties");
    Map<String, Object> rest = Trees.mapOrEmpty(schema.get("additionalProperties"));
    return object.entrySet().stream()
        .allMatch(field ->
            fits(
                Trees.mapOrEmpty(properties.getOrDefault(field.getKey(), rest)), field.getValue()));
  }
}
