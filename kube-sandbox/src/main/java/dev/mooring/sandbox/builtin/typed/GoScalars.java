package dev.mooring.sandbox.builtin.typed;

import dev.mooring.sandbox.cel.library.Quantity;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Scalars as the Go types of Kubernetes read them and write them again. Pure. */
final class GoScalars {
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Pattern MICROTIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)");

  private GoScalars() {}

  /** As Go writes again what it has read; null if it cannot read it as that type. */
  static @Nullable Object read(Object given, String goType) {
    return switch (goType) {
      case "string", "string?" -> given instanceof String ? given : null;
      case "double" -> given instanceof Number ? given : null;
      case "bool", "flag" -> given instanceof Boolean ? given : null;
      case "int32", "int64" -> whole(given, goType);
      case "bytes" -> given instanceof String text ? bytes(text) : null;
      case "time" -> given instanceof String text ? time(text) : null;
      case "microtime" -> given instanceof String text ? microtime(text) : null;
      case "quantity" -> Quantity.canonical(given.toString()).orElse(null);
      case "intstr" -> given instanceof String || given instanceof Long ? given : null;
      default -> given;
    };
  }

  private static @Nullable Object whole(Object given, String goType) {
    if (given instanceof Double number && number == Math.rint(number)) {
      return number.longValue();
    }
    return given instanceof Long number && (goType.equals("int64") || number == number.intValue())
        ? given
        : null;
  }

  private static @Nullable String bytes(String text) {
    String bare = text.replaceAll("[\\r\\n]", "");
    try {
      return bare.length() % 4 == 0
          ? Base64.getEncoder().encodeToString(Base64.getDecoder().decode(bare))
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable String time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  private static @Nullable String microtime(String text) {
    return MICROTIME.matcher(text).matches()
        ? MICROSECONDS.format(OffsetDateTime.parse(text))
        : null;
  }
}
