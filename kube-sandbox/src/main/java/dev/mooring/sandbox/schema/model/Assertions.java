package dev.mooring.sandbox.schema.model;

import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a schema demands of values of the right type. Absent bounds are null, absent texts empty.
 *
 * @param enumeration null where any value will do
 * @param not null where nothing is excluded
 */
public record Assertions(
    String format,
    @Nullable Double minimum,
    boolean exclusiveMinimum,
    @Nullable Double maximum,
    boolean exclusiveMaximum,
    @Nullable Double multipleOf,
    @Nullable Long minLength,
    @Nullable Long maxLength,
    @Nullable Pattern pattern,
    @Nullable Long minItems,
    @Nullable Long maxItems,
    boolean uniqueItems,
    @Nullable Long minProperties,
    @Nullable Long maxProperties,
    List<String> required,
    @Nullable List<Object> enumeration,
    List<Structural> allOf,
    List<Structural> anyOf,
    List<Structural> oneOf,
    @Nullable Structural not) {

  static Assertions of(Map<String, Object> schema) {
    return new Assertions(
        Formats.supported(Trees.text(schema, "type"), Trees.text(schema, "format")),
        decimal(schema.get("minimum")),
        Structural.flag(schema, "exclusiveMinimum"),
        decimal(schema.get("maximum")),
        Structural.flag(schema, "exclusiveMaximum"),
        decimal(schema.get("multipleOf")),
        whole(schema.get("minLength")),
        whole(schema.get("maxLength")),
        schema.get("pattern") instanceof String source && !source.isEmpty()
            ? new Pattern(source)
            : null,
        whole(schema.get("minItems")),
        whole(schema.get("maxItems")),
        Structural.flag(schema, "uniqueItems"),
        whole(schema.get("minProperties")),
        whole(schema.get("maxProperties")),
        Trees.texts(schema.get("required")),
        schema.get("enum") instanceof List<?> ? Trees.list(schema, "enum") : null,
        schemas(schema.get("allOf")),
        schemas(schema.get("anyOf")),
        schemas(schema.get("oneOf")),
        Structural.ofNested(schema.get("not")));
  }

  private static List<Structural> schemas(@Nullable Object value) {
    return Trees.listOrEmpty(value).stream().map(Trees::mapOrEmpty).map(Structural::of).toList();
  }

  private static @Nullable Double decimal(@Nullable Object value) {
    return value instanceof Number number ? (Double) number.doubleValue() : null;
  }

  private static @Nullable Long whole(@Nullable Object value) {
    return value instanceof Number number ? (Long) number.longValue() : null;
  }
}
