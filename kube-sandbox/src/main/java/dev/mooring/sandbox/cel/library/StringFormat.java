package dev.mooring.sandbox.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.mooring.languages.GoDuration;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.sandbox.api.validation.GoText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code format()} of strings, which CEL-Java's extension lacks (cel-go {@code ext/strings.go}).
 */
final class StringFormat {
  static final Overload FUNCTION =
      Overload.binary("(string) format(list(dyn)) string", StringFormat::format);

  private static final Pattern CLAUSE = Pattern.compile("%(?:%|(\\.[0-9]{0,4})?(.?))");
  private static final int PRECISION = 6;

  /** Longer fractions are a mistake; a double has about 1,075 digits at most. */
  private static final int PRECISION_MAX = 1_100;

  private StringFormat() {}

  private static String format(String template, List<?> arguments) {
    var rest = arguments.iterator();
    return CLAUSE
        .matcher(template)
        .replaceAll(clause -> {
          if (clause.group().equals("%%")) {
            return "%";
          }
          if (!rest.hasNext()) {
            throw new FunctionError("index " + arguments.size() + " out of range");
          }
          return Matcher.quoteReplacement(clause(clause, rest.next()));
        });
  }

  private static String clause(MatchResult clause, Object argument) {
    int precision = precision(clause.group(1));
    String verb = clause.group(2);
    return switch (verb) {
      case "s" -> text(argument);
      case "d" -> radix(argument, 10);
      case "f" -> fixed(number(argument), precision);
      case "e" -> scientific(number(argument));
      case "b" -> argument instanceof Boolean flag ? flag ? "1" : "0" : radix(argument, 2);
      case "o" -> radix(argument, 8);
      case "x" -> hexadecimal(argument);
      case "X" -> hexadecimal(argument).toUpperCase(Locale.ROOT);
      default -> throw new FunctionError("unrecognized formatting clause \"" + verb + "\"");
    };
  }

  private static int precision(@Nullable String written) {
    if (written == null) {
      return PRECISION;
    }
    int precision = written.equals(".") ? -1 : Integer.parseInt(written.substring(1));
    if (precision < 0 || precision > PRECISION_MAX) {
      throw new FunctionError("invalid precision \"" + written + "\"");
    }
    return precision;
  }

  private static String text(Object argument) {
    return switch (argument) {
      case List<?> _, Map<?, ?> _ -> literal(argument);
      case NullValue _ -> "null";
      case Double number -> GoText.number(number);
      case Duration duration -> GoDuration.seconds(duration);
      case CelByteString bytes -> bytes.toStringUtf8();
      case Instant time -> GoText.time(time);
      case String _, Long _, UnsignedLong _, Boolean _ -> argument.toString();
      default -> throw wrong();
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
      case Duration duration -> "duration(\"" + GoDuration.seconds(duration) + "\")";
      case List<?> list ->
          list.stream().map(StringFormat::literal).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map -> {
        var sorted = new TreeMap<String, String>();
        map.forEach((key, item) -> sorted.put(literal(key), literal(item)));
        yield sorted.entrySet().stream()
            .map(entry -> entry.getKey() + ":" + entry.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
      }
      default -> text(value);
    };
  }

  private static String fixed(double number, int precision) {
    return Double.isFinite(number)
        ? new BigDecimal(number).setScale(precision, RoundingMode.HALF_EVEN).toPlainString()
        : special(number);
  }

  /** With the exponent as English texts print it, of any precision: {@code 1.234500×10⁰³}. */
  private static String scientific(double number) {
    if (!Double.isFinite(number)) {
      return special(number);
    }
    String[] parts = "%e".formatted(number).split("e");
    return parts[1]
        .chars()
        .filter(sign -> sign != '+')
        .mapToObj(sign -> sign == '-' ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹".substring(sign - '0', sign - '0' + 1))
        .collect(Collectors.joining("", parts[0] + "×10", ""));
  }

  private static String special(double number) {
    return Double.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
  }

  private static double number(Object argument) {
    return switch (argument) {
      case Double number -> number;
      case String text when List.of("NaN", "Infinity", "-Infinity").contains(text) ->
          Double.parseDouble(text);
      default -> throw wrong();
    };
  }

  private static String radix(Object argument, int radix) {
    return switch (argument) {
      case Long number -> Long.toString(number, radix);
      case UnsignedLong number -> number.toString(radix);
      default -> throw wrong();
    };
  }

  private static String hexadecimal(Object argument) {
    return switch (argument) {
      case String text -> HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
      case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
      default -> radix(argument, 16);
    };
  }

  private static FunctionError wrong() {
    return new FunctionError("error during formatting: the clause takes no such value");
  }
}
