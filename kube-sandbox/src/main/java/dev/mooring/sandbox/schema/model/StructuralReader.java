package dev.mooring.sandbox.schema.model;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.schema.model.Assertions.Bound;
import dev.mooring.sandbox.schema.model.Assertions.Uniqueness;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an {@code openAPIV3Schema}. Lenient: whether the schema is structural at all is decided
 * where CustomResourceDefinitions are admitted; here, parts of another type count as absent.
 */
public final class StructuralReader {
  private StructuralReader() {}

  public static Structural read(Map<String, Object> schema) {
    var properties = new LinkedHashMap<String, Structural>();
    Trees.map(schema, "properties")
        .forEach((name, property) -> properties.put(name, read(Trees.mapOrEmpty(property))));
    Object additional = schema.get("additionalProperties");
    return new Structural(
        Trees.text(schema, "type"),
        flag(schema, "nullable")
            ? Structural.NullHandling.ALLOWED
            : Structural.NullHandling.REJECTED,
        flag(schema, "x-kubernetes-preserve-unknown-fields")
            ? Structural.Unknown.PRESERVED
            : Structural.Unknown.PRUNED,
        shape(schema),
        Collections.unmodifiableMap(properties),
        additional instanceof Map<?, ?> ? read(Trees.mapOrEmpty(additional)) : null,
        switch (additional) {
          case Boolean allowed when allowed -> Structural.Additional.ALLOWED;
          case Boolean _ -> Structural.Additional.FORBIDDEN;
          case null, default -> Structural.Additional.UNSPECIFIED;
        },
        schema.get("items") instanceof Map<?, ?> items ? read(Trees.mapOrEmpty(items)) : null,
        schema.get("default"),
        switch (Trees.text(schema, "x-kubernetes-list-type")) {
          case "set" -> ListType.SET;
          case "map" -> ListType.MAP;
          default -> ListType.ATOMIC;
        },
        Trees.texts(schema.get("x-kubernetes-list-map-keys")),
        assertions(schema),
        Trees.list(schema, "x-kubernetes-validations").stream()
            .map(Trees::mapOrEmpty)
            .map(StructuralReader::rule)
            .toList());
  }

  private static Structural.Shape shape(Map<String, Object> schema) {
    if (flag(schema, "x-kubernetes-int-or-string")) {
      return Structural.Shape.INT_OR_STRING;
    }
    return flag(schema, "x-kubernetes-embedded-resource")
        ? Structural.Shape.EMBEDDED_RESOURCE
        : Structural.Shape.PLAIN;
  }

  private static Assertions assertions(Map<String, Object> schema) {
    return new Assertions(
        Formats.supported(Trees.text(schema, "type"), Trees.text(schema, "format")),
        decimal(schema.get("minimum")),
        bound(schema, "exclusiveMinimum"),
        decimal(schema.get("maximum")),
        bound(schema, "exclusiveMaximum"),
        decimal(schema.get("multipleOf")),
        whole(schema.get("minLength")),
        whole(schema.get("maxLength")),
        schema.get("pattern") instanceof String source && !source.isEmpty()
            ? new Pattern(source)
            : null,
        whole(schema.get("minItems")),
        whole(schema.get("maxItems")),
        flag(schema, "uniqueItems") ? Uniqueness.UNIQUE : Uniqueness.ANY,
        whole(schema.get("minProperties")),
        whole(schema.get("maxProperties")),
        Trees.texts(schema.get("required")),
        schema.get("enum") instanceof List<?> ? Trees.list(schema, "enum") : null,
        schemas(schema.get("allOf")),
        schemas(schema.get("anyOf")),
        schemas(schema.get("oneOf")),
        schema.get("not") instanceof Map<?, ?> not ? read(Trees.mapOrEmpty(not)) : null);
  }

  private static RuleSource rule(Map<String, Object> rule) {
    return new RuleSource(
        Trees.text(rule, "rule"),
        Trees.text(rule, "message"),
        Trees.text(rule, "messageExpression"),
        switch (Trees.text(rule, "reason")) {
          case "FieldValueRequired" -> RuleSource.Reason.REQUIRED;
          case "FieldValueForbidden" -> RuleSource.Reason.FORBIDDEN;
          case "FieldValueDuplicate" -> RuleSource.Reason.DUPLICATE;
          default -> RuleSource.Reason.INVALID;
        },
        Trees.text(rule, "fieldPath"),
        flag(rule, "optionalOldSelf") ? RuleSource.OldSelf.OPTIONAL : RuleSource.OldSelf.VALUE);
  }

  private static List<Structural> schemas(@Nullable Object value) {
    return Trees.listOrEmpty(value).stream()
        .map(Trees::mapOrEmpty)
        .map(StructuralReader::read)
        .toList();
  }

  private static boolean flag(Map<String, Object> map, String key) {
    return Boolean.TRUE.equals(map.get(key));
  }

  private static Bound bound(Map<String, Object> map, String key) {
    return flag(map, key) ? Bound.EXCLUSIVE : Bound.INCLUSIVE;
  }

  private static @Nullable Double decimal(@Nullable Object value) {
    return value instanceof Number number ? (Double) number.doubleValue() : null;
  }

  private static @Nullable Long whole(@Nullable Object value) {
    return value instanceof Number number ? (Long) number.longValue() : null;
  }
}
