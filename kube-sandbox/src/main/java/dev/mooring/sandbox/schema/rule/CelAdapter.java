package dev.mooring.sandbox.schema.rule;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.mooring.languages.GoDuration;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.cel.CelNames;
import dev.mooring.sandbox.schema.model.Formats;
import dev.mooring.sandbox.schema.model.Structural;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a tree becomes a CEL value: numbers and times as the schema types them, names of properties
 * escaped. Most trees are CEL values as they are, and are not copied.
 */
@FunctionalInterface
interface CelAdapter {
  CelAdapter AS_IS = tree -> tree == null ? NullValue.NULL_VALUE : tree;

  /** As it is, but trees around it are copied, since CEL has a null of its own. */
  CelAdapter NULLABLE = tree -> AS_IS.of(tree);

  /** The CEL value of a tree. */
  Object of(@Nullable Object tree);

  /** For the trees that a schema describes. */
  static CelAdapter of(Structural schema) {
    CelAdapter adapter =
        switch (schema.type()) {
          case "object" -> ofObject(schema);
          case "array" -> {
            CelAdapter items = schema.items() == null ? AS_IS : of(schema.items());
            yield items == AS_IS ? AS_IS : ofType(List.class, list -> items(list, items));
          }
          case "number" -> ofType(Number.class, Number::doubleValue);
          case "string" -> ofText(schema.assertions().format());
          default -> AS_IS;
        };
    return adapter == AS_IS && schema.nullable() ? NULLABLE : adapter;
  }

  /** Values of another type stay as they are. */
  private static <T> CelAdapter ofType(Class<T> type, Function<T, Object> conversion) {
    return tree -> type.isInstance(tree) ? conversion.apply(type.cast(tree)) : AS_IS.of(tree);
  }

  private static Object items(List<?> list, CelAdapter adapter) {
    return list.stream().map(adapter::of).toList();
  }

  private static CelAdapter ofText(String format) {
    return switch (format) {
      case "byte" ->
          ofType(
              String.class,
              text ->
                  Formats.base64(text) ? CelByteString.of(Base64.getDecoder().decode(text)) : text);
      case "date" ->
          ofType(
              String.class,
              text ->
                  Formats.date(text)
                      ? LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
                      : text);
      case "duration" ->
          ofType(String.class, text -> GoDuration.parse(text).map(Object.class::cast).orElse(text));
      case "date-time", "datetime" ->
          ofType(
              String.class,
              text ->
                  Formats.dateTime(text)
                      ? OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant()
                      : text);
      default -> AS_IS;
    };
  }

  /** With the names of properties escaped. */
  private static CelAdapter ofObject(Structural schema) {
    record Field(String escaped, CelAdapter adapter) {}
    var fields = new HashMap<String, Field>();
    schema
        .properties()
        .forEach((name, property) -> {
          var field = new Field(CelNames.escaped(name), of(property));
          if (field.adapter() != AS_IS || !field.escaped().equals(name)) {
            fields.put(name, field);
          }
        });
    CelAdapter additional = schema.additional() == null ? AS_IS : of(schema.additional());
    if (fields.isEmpty() && additional == AS_IS) {
      return AS_IS;
    }
    return ofType(
        Map.class,
        tree -> {
          var values = new LinkedHashMap<String, Object>();
          Trees.mapOrEmpty(tree)
              .forEach((name, value) -> {
                Field field = fields.get(name);
                if (field == null) {
                  values.put(name, additional.of(value));
                } else {
                  values.put(field.escaped(), field.adapter().of(value));
                }
              });
          return values;
        });
  }
}
