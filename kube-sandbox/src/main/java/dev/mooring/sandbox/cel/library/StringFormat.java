package dev.mooring.sandbox.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.sandbox.api.validation.GoText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * {@code format()} of strings, which CEL-Java's extension lacks (cel-go {@code ext/strings.go}).
 */
public final class StringFormat {
  private static final String VERBS = "sdfeboxX";
  private static final String WRONG_TYPE = "error during formatting: ";
  private static final int PRECISION = 6;

  /** Longer fractions are a mistake; a double has about 1,075 digits at most. */
  private static final int PRECISION_MAX = 1_100;

  @SuppressWarnings({"unchecked", "rawtypes"}) // Class<List<?>> has no literal
  private static final Kind<List<?>> ARGUMENTS =
      new Kind<>(ListType.create(SimpleType.DYN), (Class) List.class);

  static final List<Overload> ALL =
      List.of(
          Overload.member(
              "format",
              "string_format",
              Kind.STRING,
              ARGUMENTS,
              SimpleType.STRING,
              (template, arguments) -> new StringFormat(template, arguments).render()));

  private static final Object ANY = new Object();
  private static final Map<CelKind, Object> SAMPLES =
      Map.of(
          CelKind.STRING,
          "NaN",
          CelKind.INT,
          0L,
          CelKind.UINT,
          UnsignedLong.ZERO,
          CelKind.DOUBLE,
          0.0,
          CelKind.BOOL,
          true,
          CelKind.BYTES,
          CelByteString.EMPTY,
          CelKind.TIMESTAMP,
          Instant.EPOCH,
          CelKind.DURATION,
          Duration.ZERO,
          CelKind.LIST,
          List.of(),
          CelKind.MAP,
          Map.of());

  private final String template;
  private final List<?> arguments;
  private int at;
  private int next;

  /**
   * Why a template cannot be filled.
   *
   * @param argument of a wrong type; -1 if the template itself is wrong
   */
  public record Fault(int argument, String text) {}

  /**
   * What is wrong with a template and the types of its arguments; empty if nothing is known to be.
   */
  public static Optional<Fault> fault(String template, List<CelType> types) {
    List<Object> samples =
        types.stream().map(type -> SAMPLES.getOrDefault(type.kind(), ANY)).toList();
    var format = new StringFormat(template, samples);
    try {
      format.render();
      return Optional.empty();
    } catch (FunctionError wrong) {
      String text = String.valueOf(wrong.getMessage());
      return Optional.of(new Fault(text.startsWith(WRONG_TYPE) ? format.next - 1 : -1, text));
    }
  }

  private StringFormat(String template, List<?> arguments) {
    this.template = template;
    this.arguments = arguments;
  }

  private String render() {
    var out = new StringBuilder();
    while (at < template.length()) {
      char here = template.charAt(at++);
      if (here != '%') {
        out.append(here);
      } else if (template.startsWith("%", at)) {
        out.append('%');
        at++;
      } else if (next >= arguments.size()) {
        throw new FunctionError("index " + next + " out of range");
      } else {
        out.append(clause(arguments.get(next++)));
      }
    }
    return out.toString();
  }

  private String clause(Object argument) {
    int precision = precision();
    if (at >= template.length()) {
      throw new FunctionError("unexpected end of string");
    }
    char verb = template.charAt(at++);
    if (argument == ANY && VERBS.indexOf(verb) >= 0) {
      return "";
    }
    return switch (verb) {
      case 's' -> text(argument);
      case 'd' -> decimal(argument);
      case 'f' -> fixed(argument, precision);
      case 'e' -> scientific(argument);
      case 'b' -> argument instanceof Boolean flag ? flag ? "1" : "0" : radix(argument, 2);
      case 'o' -> radix(argument, 8);
      case 'x' -> hexadecimal(argument);
      case 'X' -> hexadecimal(argument).toUpperCase(java.util.Locale.ROOT);
      default ->
          throw new FunctionError(
              "could not parse formatting clause: unrecognized formatting clause \"" + verb + "\"");
    };
  }

  private int precision() {
    if (!template.startsWith(".", at)) {
      return PRECISION;
    }
    int start = ++at;
    while (at < template.length() && Character.isDigit(template.charAt(at))) {
      at++;
    }
    String digits = template.substring(start, at);
    if (digits.isEmpty()) {
      throw new FunctionError(
          "could not parse formatting clause: error while parsing precision: error while converting"
              + " precision to integer: strconv.Atoi: parsing \"\": invalid syntax");
    }
    if (digits.length() > 4 || Integer.parseInt(digits) > PRECISION_MAX) {
      throw new FunctionError(
          "could not parse formatting clause: error while parsing precision: "
              + GoQuotes.quote(digits));
    }
    return Integer.parseInt(digits);
  }

  private static String text(Object argument) {
    return switch (argument) {
      case List<?> list -> literal(list);
      case Map<?, ?> map -> literal(map);
      case NullValue _ -> "null";
      case Double number -> GoText.number(number);
      case Duration duration -> seconds(duration);
      case CelByteString bytes -> bytes.toStringUtf8();
      case Instant time -> GoText.time(time);
      case String _, Long _, UnsignedLong _, Boolean _ -> argument.toString();
      default ->
          throw wrong(
              "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists,"
                  + " types, durations, and timestamps",
              argument);
    };
  }

  /** A value inside a list or map: as CEL would write it. */
  private static String literal(Object value) {
    return switch (value) {
      case String text -> GoQuotes.quote(text);
      case CelByteString bytes -> "b" + GoQuotes.quote(bytes.toStringUtf8());
      case Double number when !Double.isFinite(number) -> GoQuotes.quote(text(number));
      case Double number -> fixed(number, PRECISION);
      case Instant time -> "timestamp(\"" + GoText.time(time) + "\")";
      case Duration duration -> "duration(\"" + seconds(duration) + "\")";
      case List<?> list -> {
        var items = new StringJoiner(", ", "[", "]");
        list.forEach(item -> items.add(literal(item)));
        yield items.toString();
      }
      case Map<?, ?> map -> {
        var sorted = new TreeMap<String, String>();
        map.forEach((key, item) -> sorted.put(literal(key), literal(item)));
        var entries = new StringJoiner(", ", "{", "}");
        sorted.forEach((key, item) -> entries.add(key + ":" + item));
        yield entries.toString();
      }
      default -> text(value);
    };
  }

  private static String seconds(Duration duration) {
    return new BigDecimal(duration.toSeconds())
            .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
            .stripTrailingZeros()
            .toPlainString()
        + "s";
  }

  private static String decimal(Object argument) {
    return switch (argument) {
      case Long _, UnsignedLong _ -> argument.toString();
      default -> throw wrong("decimal clause can only be used on integers", argument);
    };
  }

  private static String fixed(Object argument, int precision) {
    double number = number(argument, "fixed-point clause can only be used on doubles");
    return Double.isFinite(number)
        ? new BigDecimal(number).setScale(precision, RoundingMode.HALF_EVEN).toPlainString()
        : special(number);
  }

  /** With the exponent as English texts print it, of any precision: {@code 1.234500×10⁰³}. */
  private static String scientific(Object argument) {
    double number = number(argument, "scientific clause can only be used on doubles");
    if (!Double.isFinite(number)) {
      return special(number);
    }
    String[] parts = "%e".formatted(number).split("e");
    var raised = new StringBuilder(parts[0]).append("×10");
    parts[1]
        .chars()
        .filter(sign -> sign != '+')
        .map(sign -> sign == '-' ? '⁻' : "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(sign - '0'))
        .forEach(sign -> raised.append((char) sign));
    return raised.toString();
  }

  private static String special(double number) {
    return Double.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
  }

  private static double number(Object argument, String rule) {
    return switch (argument) {
      case Double number -> number;
      case String text when text.equals("NaN") -> Double.NaN;
      case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
      case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
      default -> throw wrong(rule, argument);
    };
  }

  private static String radix(Object argument, int radix) {
    return switch (argument) {
      case Long number -> Long.toString(number, radix);
      case UnsignedLong number -> number.toString(radix);
      default ->
          throw wrong(
              radix == 2
                  ? "only integers and bools can be formatted as binary"
                  : "octal clause can only be used on integers",
              argument);
    };
  }

  private static String hexadecimal(Object argument) {
    return switch (argument) {
      case Long _, UnsignedLong _ -> radix(argument, 16);
      case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
      case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
      default ->
          throw wrong("only integers, byte buffers, and strings can be formatted as hex", argument);
    };
  }

  private static FunctionError wrong(String rule, Object argument) {
    return new FunctionError(
        WRONG_TYPE + "%s, was given %s".formatted(rule, Values.type(argument)));
  }
}
