package dev.mooring.sandbox.crd.resource;

import dev.mooring.sandbox.api.validation.GoText;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cell of a printer column (apiextensions {@code pkg/registry/customresource/tableconvertor}).
 */
final class ColumnValue {
  private ColumnValue() {}

  /** The first value as the column's type shows it; null where there is none of that type. */
  static @Nullable Object of(String type, List<Object> found) {
    if (found.isEmpty() || found.getFirst() == null) {
      return null;
    }
    Object value = found.getFirst();
    return switch (type) {
      case "integer" -> value instanceof Number number ? (Object) whole(number) : null;
      case "number" -> value instanceof Number ? value : null;
      case "boolean" -> value instanceof Boolean ? value : null;
      case "string" -> value instanceof String ? value : GoText.json(value);
      case "date" -> value instanceof String text ? instant(text) : null;
      default -> null;
    };
  }

  /** As Go converts it: what is too large is the smallest number. */
  private static long whole(Number number) {
    return Math.abs(number.doubleValue()) < Math.pow(2, Long.SIZE - 1)
        ? number.longValue()
        : Long.MIN_VALUE;
  }

  /** A point in time, which is shown as an age. */
  private static Object instant(String timestamp) {
    try {
      return Instant.parse(timestamp);
    } catch (DateTimeParseException e) {
      return "<invalid>";
    }
  }
}
