package dev.mooring.sandbox.schema.rule;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.mooring.languages.GoDuration;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.cel.CelNames;
import dev.mooring.sandbox.schema.model.Formats;
import dev.mooring.sandbox.schema.model.Structural;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a tree becomes a CEL value: numbers and times as the schema types them, names of properties
 * escaped. Most trees are CEL values as they are, and are not copied.
 */
sealed interface CelAdapter {
  /** The CEL value of a tree. */
  Object of(@Nullable Object tree);

  /** The shape of the trees that a schema describes. */
  static CelAdapter of(Structural schema) {
    CelAdapter shape =
        switch (schema.type()) {
          case "object" -> objectShape(schema);
          case "array" -> {
            CelAdapter items = schema.items() == null ? AsIs.VALUE : of(schema.items());
            yield items == AsIs.VALUE ? items : new Items(items);
          }
          case "number" -> Decimal.VALUE;
          case "string" ->
              switch (schema.assertions().format()) {
                case "byte", "date", "date-time", "datetime", "duration" ->
                    new Text(schema.assertions().format());
                default -> AsIs.VALUE;
              };
          default -> AsIs.VALUE;
        };
    return schema.rejectsNull() ? shape : new OrNull(shape);
  }

  private static CelAdapter objectShape(Structural schema) {
    var fields = new LinkedHashMap<String, Field>();
    schema
        .properties()
        .forEach((name, property) -> {
          CelAdapter shape = of(property);
          String escaped = CelNames.escaped(name);
          if (shape != AsIs.VALUE || !escaped.equals(name)) {
            fields.put(name, new Field(escaped, shape));
          }
        });
    CelAdapter additional = schema.additional() == null ? AsIs.VALUE : of(schema.additional());
    return fields.isEmpty() && additional == AsIs.VALUE
        ? AsIs.VALUE
        : new Fields(fields, additional);
  }

  record Field(String escaped, CelAdapter shape) {}

  enum AsIs implements CelAdapter {
    VALUE;

    @Override
    public Object of(@Nullable Object tree) {
      return tree == null ? NullValue.NULL_VALUE : tree;
    }
  }

  enum Decimal implements CelAdapter {
    VALUE;

    @Override
    public Object of(@Nullable Object tree) {
      return tree instanceof Number number ? (Object) number.doubleValue() : AsIs.VALUE.of(tree);
    }
  }

  record OrNull(CelAdapter shape) implements CelAdapter {
    @Override
    public Object of(@Nullable Object tree) {
      return tree == null ? NullValue.NULL_VALUE : shape.of(tree);
    }
  }

  record Items(CelAdapter shape) implements CelAdapter {
    @Override
    public Object of(@Nullable Object tree) {
      if (!(tree instanceof List<?> list)) {
        return AsIs.VALUE.of(tree);
      }
      var items = new ArrayList<Object>(list.size());
      list.forEach(item -> items.add(shape.of(item)));
      return items;
    }
  }

  record Fields(Map<String, Field> fields, CelAdapter additional) implements CelAdapter {
    @Override
    public Object of(@Nullable Object tree) {
      if (!(tree instanceof Map)) {
        return AsIs.VALUE.of(tree);
      }
      var values = new LinkedHashMap<String, Object>();
      Trees.mapOrEmpty(tree)
          .forEach((name, value) -> {
            Field field = fields.get(name);
            if (field == null) {
              values.put(name, additional.of(value));
            } else {
              values.put(field.escaped(), field.shape().of(value));
            }
          });
      return values;
    }
  }

  record Text(String format) implements CelAdapter {
    @Override
    public Object of(@Nullable Object tree) {
      if (!(tree instanceof String text)) {
        return AsIs.VALUE.of(tree);
      }
      return switch (format) {
        case "byte" ->
            Formats.base64(text) ? CelByteString.of(Base64.getDecoder().decode(text)) : text;
        case "date" ->
            Formats.date(text)
                ? LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
                : text;
        case "duration" -> GoDuration.parse(text).<Object>map(Duration.class::cast).orElse(text);
        default -> Formats.dateTime(text) ? instant(text) : text;
      };
    }

    private static Instant instant(String text) {
      return OffsetDateTime.parse(text.toUpperCase(Locale.ROOT)).toInstant();
    }
  }
}
