package dev.mooring.sandbox.builtin.typed;

import dev.mooring.sandbox.cel.library.Quantity;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Scalars as the Go types of Kubernetes read them and write them again. Pure. */
final class GoScalars {
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Pattern MICROTIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}(Z|[+-]\\d\\d:\\d\\d)");
  private static final String MICROTIME_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";
  private static final String TIME_LAYOUT = "2006-01-02T15:04:05Z07:00";

  private GoScalars() {}

  /** How to say what is wrong. */
  interface Complaint {
    /** The value has another JSON type than the Go type takes. */
    RuntimeException mismatch(String expected);

    RuntimeException unreadable(String why);
  }

  /** Throws what the complaint makes. */
  static Object read(Object given, String goType, Complaint complaint) {
    return switch (goType) {
      case "string", "string?" -> requireText(given, "string", complaint);
      case "double" -> {
        if (!(given instanceof Number)) {
          throw complaint.mismatch("float64");
        }
        yield given;
      }
      case "bool", "flag" -> {
        if (!(given instanceof Boolean)) {
          throw complaint.mismatch("bool");
        }
        yield given;
      }
      case "int32", "int64" -> whole(given, goType, complaint);
      case "bytes" -> bytes(requireText(given, "[]uint8", complaint), complaint);
      case "time" -> time(requireText(given, "string", complaint), complaint);
      case "microtime" -> microtime(requireText(given, "string", complaint), complaint);
      case "quantity" -> quantity(given, complaint);
      case "intstr" -> {
        if (given instanceof String || given instanceof Long) {
          yield given;
        }
        throw complaint.mismatch("intstr.IntOrString");
      }
      default -> given;
    };
  }

  private static String requireText(Object given, String expected, Complaint complaint) {
    if (given instanceof String text) {
      return text;
    }
    throw complaint.mismatch(expected);
  }

  private static Object whole(Object given, String goType, Complaint complaint) {
    if (given instanceof Double number && number == Math.rint(number)) {
      return number.longValue();
    }
    if (given instanceof Long number && (goType.equals("int64") || number == number.intValue())) {
      return given;
    }
    throw complaint.mismatch(goType);
  }

  private static String bytes(String text, Complaint complaint) {
    String bare = text.replaceAll("[\\r\\n]", "");
    if (bare.length() % 4 != 0 && firstBad(text) == text.length()) {
      throw complaint.unreadable("illegal base64 data at input byte " + bare.length() / 4 * 4);
    }
    try {
      byte[] content = Base64.getDecoder().decode(bare);
      return Base64.getEncoder().encodeToString(content);
    } catch (IllegalArgumentException e) {
      throw complaint.unreadable("illegal base64 data at input byte " + firstBad(text));
    }
  }

  private static int firstBad(String text) {
    int at = 0;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || "+/".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    return at;
  }

  private static String time(String text, Complaint complaint) {
    try {
      return OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.SECONDS).toString();
    } catch (DateTimeParseException e) {
      throw complaint.unreadable(
          "parsing time \"%s\" as \"%s\": cannot parse \"%s\" as \"2006\""
              .formatted(text, TIME_LAYOUT, text));
    }
  }

  private static String microtime(String text, Complaint complaint) {
    if (MICROTIME.matcher(text).matches()) {
      return MICROSECONDS.format(OffsetDateTime.parse(text));
    }
    boolean tooFine = text.matches("[^.]{19}\\.\\d{7,}.*");
    throw complaint.unreadable(
        "parsing time \"%s\" as \"%s\": cannot parse \"%s\" as \"%s\""
            .formatted(
                text,
                MICROTIME_LAYOUT,
                text.substring(Math.min(text.length(), tooFine ? 26 : 19)),
                tooFine ? "Z07:00" : ".000000"));
  }

  private static Object quantity(Object given, Complaint complaint) {
    String text = given instanceof Map<?, ?> || given instanceof List<?> ? "" : given.toString();
    return Quantity.canonical(text)
        .orElseThrow(() ->
            complaint.unreadable(
                "quantities must match the regular expression"
                    + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"));
  }
}
