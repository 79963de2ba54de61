package dev.mooring.sandbox.crd.resource;

import dev.mooring.sandbox.api.validation.GoText;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/**
 * The cell of a printer column (apiextensions {@code pkg/registry/customresource/tableconvertor}).
 */
final class ColumnValue {
  private ColumnValue() {}

  /** The first value as the column's type shows it; null where there is none of that type. */
  static Object of(String type, List<Object> found, Instant now) {
    if (found.isEmpty() || found.getFirst() == null) {
      return null;
    }
    Object value = found.getFirst();
    return switch (type) {
      case "integer" -> value instanceof Number number ? (Object) number.longValue() : null;
      case "number" -> value instanceof Number ? value : null;
      case "boolean" -> value instanceof Boolean ? value : null;
      case "string" -> value instanceof String ? value : GoText.json(value);
      case "date" -> value instanceof String text ? age(text, now) : "<invalid>";
      default -> null;
    };
  }

  private static String age(String timestamp, Instant now) {
    try {
      return age(Duration.between(Instant.parse(timestamp), now));
    } catch (DateTimeParseException e) {
      return "<invalid>";
    }
  }

  /** As {@code duration.HumanDuration} of apimachinery rounds: 95s, 3m20s, 5h, 2d3h, 4y120d. */
  static String age(Duration age) {
    long seconds = age.toSeconds();
    if (seconds < -1) {
      return "<invalid>";
    }
    if (seconds < 0) {
      return "0s";
    }
    long minutes = age.toMinutes();
    long hours = age.toHours();
    long days = age.toDays();
    if (seconds < 120) {
      return seconds + "s";
    }
    if (minutes < 10) {
      return both(minutes, "m", seconds % 60, "s");
    }
    if (minutes < 180) {
      return minutes + "m";
    }
    if (hours < 8) {
      return both(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
      return hours + "h";
    }
    if (days < 8) {
      return both(days, "d", hours % 24, "h");
    }
    if (days < 365 * 2) {
      return days + "d";
    }
    long years = days / 365;
    return days < 365 * 8 ? both(years, "y", days % 365, "d") : years + "y";
  }

  private static String both(long large, String largeUnit, long small, String smallUnit) {
    return small == 0 ? large + largeUnit : large + largeUnit + small + smallUnit;
  }
}
