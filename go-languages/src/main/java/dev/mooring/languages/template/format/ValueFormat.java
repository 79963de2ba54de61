package dev.mooring.languages.template.format;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.format.FormatSpec.Flag;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.languages.template.text.GoQuotes.Charset;
import dev.mooring.languages.template.value.Bounded;
import dev.mooring.languages.template.value.Values;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One value as a verb of Go's fmt prints it; lists and maps item by item. */
final class ValueFormat {
  private ValueFormat() {}

  static String text(FormatSpec spec, int verb, Object value) {
    if (Values.absent(value)) {
      return verb == 'v' || verb == 'T' ? spec.padded("<nil>") : bad(spec, verb, value);
    }
    return switch (verb) {
      case 'T' -> spec.padded(spec.cut(Values.goType(value)));
      case 'p' -> throw new TemplateFailure("printf: an address is not the same every time");
      default -> inner(spec, verb, value);
    };
  }

  private static String inner(FormatSpec spec, int verb, Object value) {
    return switch (value) {
      case Boolean flag ->
          verb == 't' || verb == 'v' ? spec.padded(flag.toString()) : bad(spec, verb, value);
      case Long number -> whole(spec, verb, BigInteger.valueOf(number), value);
      case BigInteger number -> whole(spec, verb, number, value);
      case Number number -> fraction(spec, verb, number.doubleValue(), value);
      case String text -> string(spec, verb, text);
      case Map<?, ?> map -> map(spec, verb, map);
      case List<?> list -> list(spec, verb, list);
      case null, default -> {
        if ("vsqxX".indexOf(verb) < 0 || spec.has(Flag.GO_SYNTAX)) {
          throw new TemplateFailure("printf: a verb for a text is needed here");
        }
        yield string(spec, verb, Values.print(value));
      }
    };
  }

  private static String item(FormatSpec spec, int verb, Object item) {
    if (Values.absent(item)) {
      return spec.has(Flag.GO_SYNTAX) ? "interface {}(nil)" : "<nil>";
    }
    return inner(spec, verb, item);
  }

  private static String list(FormatSpec spec, int verb, List<?> list) {
    boolean go = spec.has(Flag.GO_SYNTAX);
    var out = new Bounded().append(go ? "[]interface {}{" : "[");
    String separator = "";
    for (Object item : list) {
      out.append(separator).append(item(spec, verb, item));
      separator = go ? ", " : " ";
    }
    return out.append(go ? "}" : "]").toString();
  }

  private static String map(FormatSpec spec, int verb, Map<?, ?> map) {
    boolean go = spec.has(Flag.GO_SYNTAX);
    var out = new Bounded().append(go ? "map[string]interface {}{" : "map[");
    String separator = "";
    for (Map.Entry<?, ?> field : new TreeMap<Object, Object>(map).entrySet()) {
      out.append(separator)
          .append(inner(spec, verb, field.getKey()))
          .append(":")
          .append(item(spec, verb, field.getValue()));
      separator = go ? ", " : " ";
    }
    return out.append(go ? "}" : "]").toString();
  }

  private static String string(FormatSpec spec, int verb, String text) {
    return switch (verb) {
      case 'v' -> spec.has(Flag.GO_SYNTAX) ? quoted(spec, text) : spec.padded(spec.cut(text));
      case 's' -> spec.padded(spec.cut(text));
      case 'q' -> quoted(spec, text);
      case 'x' -> hex(spec, text);
      case 'X' -> hex(spec, text).toUpperCase(Locale.ROOT);
      default -> bad(spec, verb, text);
    };
  }

  private static String quoted(FormatSpec spec, String text) {
    String cut = spec.cut(text);
    return spec.padded(
        spec.has(Flag.SHARP) && GoQuotes.canBackquote(cut)
            ? "`" + cut + "`"
            : GoQuotes.quote(cut, '"', charset(spec)));
  }

  private static Charset charset(FormatSpec spec) {
    return spec.has(Flag.PLUS) ? Charset.ASCII : Charset.UNICODE;
  }

  /** Two digits per byte. */
  private static String hex(FormatSpec spec, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, spec.precision().orElse(Integer.MAX_VALUE));
    var out = new StringBuilder();
    for (int i = 0; i < length; i++) {
      boolean spaced = spec.has(Flag.SPACE) && i > 0;
      out.append(spaced ? " " : "");
      out.append(spec.has(Flag.SHARP) && (i == 0 || spaced) ? "0x" : "");
      out.append("%02x".formatted(bytes[i] & 0xff));
    }
    return spec.padded(out.toString());
  }

  private static String whole(FormatSpec spec, int verb, BigInteger number, Object value) {
    return switch (verb) {
      case 'v', 'd' -> digits(spec, number, 10, "");
      case 'b' -> digits(spec, number, 2, spec.has(Flag.SHARP) ? "0b" : "");
      case 'o' -> digits(spec, number, 8, spec.has(Flag.SHARP) ? "0" : "");
      case 'O' -> digits(spec, number, 8, spec.has(Flag.SHARP) ? "0o0" : "0o");
      case 'x' -> digits(spec, number, 16, spec.has(Flag.SHARP) ? "0x" : "");
      case 'X' ->
          digits(spec, number, 16, spec.has(Flag.SHARP) ? "0x" : "").toUpperCase(Locale.ROOT);
      case 'c' -> spec.padded(character(number));
      case 'q' -> spec.padded(GoQuotes.quote(character(number), '\'', charset(spec)));
      case 'U' -> spec.spaced(unicode(spec, number));
      default -> bad(spec, verb, value);
    };
  }

  private static String digits(FormatSpec spec, BigInteger number, int radix, String prefix) {
    String sign = number.signum() < 0 ? "-" : spec.sign();
    if (spec.precision().orElse(-1) == 0 && number.signum() == 0) {
      return spec.spaced("");
    }
    String digits = number.abs().toString(radix);
    String zeros = "0".repeat(Math.max(0, spec.digits(sign) - digits.length()));
    boolean enough = prefix.endsWith("0") && (zeros + digits).startsWith("0");
    return spec.spaced(
        sign + (enough ? prefix.substring(0, prefix.length() - 1) : prefix) + zeros + digits);
  }

  private static String character(BigInteger number) {
    boolean valid =
        number.bitLength() < 31
            && Character.isValidCodePoint(number.intValue())
            && (number.intValue() < 0xd800 || number.intValue() > 0xdfff);
    return Character.toString(valid ? number.intValue() : 0xfffd);
  }

  private static String unicode(FormatSpec spec, BigInteger number) {
    BigInteger code = number.signum() < 0 ? number.add(BigInteger.TWO.pow(64)) : number;
    String digits = code.toString(16).toUpperCase(Locale.ROOT);
    int least = Math.max(4, spec.precision().orElse(0));
    String sign =
        spec.has(Flag.SHARP) && code.bitLength() <= 21 && GoQuotes.printable(code.intValue())
            ? " '" + Character.toString(code.intValue()) + "'"
            : "";
    return "U+" + "0".repeat(Math.max(0, least - digits.length())) + digits + sign;
  }

  private static String fraction(FormatSpec spec, int verb, double number, Object value) {
    int precision = spec.precision().orElse("eEfF".indexOf(verb) >= 0 ? 6 : FractionText.SHORTEST);
    String text =
        switch (verb) {
          case 'v', 'g' -> FractionText.general(number, precision);
          case 'G' -> FractionText.general(number, precision).toUpperCase(Locale.ROOT);
          case 'e' -> FractionText.exponent(number, precision);
          case 'E' -> FractionText.exponent(number, precision).toUpperCase(Locale.ROOT);
          case 'f', 'F' -> FractionText.fixed(number, precision);
          case 'x' -> hexadecimal(spec, number);
          case 'X' -> hexadecimal(spec, number).toUpperCase(Locale.ROOT);
          case 'b' -> FractionText.binary(number);
          default -> null;
        };
    if (text == null) {
      return bad(spec, verb, value);
    }
    if (Double.isNaN(number)) {
      return spec.spaced(spec.sign() + "NaN");
    }
    if (Double.isInfinite(number)) {
      String sign = number < 0 ? "-" : spec.sign().isEmpty() ? "+" : spec.sign();
      return spec.spaced(sign + "Inf");
    }
    boolean negative = text.startsWith("-");
    return spec.paddedNumber(negative ? "-" : spec.sign(), negative ? text.substring(1) : text);
  }

  private static String hexadecimal(FormatSpec spec, double number) {
    if (spec.precision().isPresent()) {
      throw new TemplateFailure("printf: %x of a fraction takes no precision");
    }
    return FractionText.hexadecimal(number);
  }

  private static String bad(FormatSpec spec, int verb, Object value) {
    String name = Character.toString(verb);
    return Values.absent(value)
        ? "%!" + name + "(<nil>)"
        : "%!" + name + "(" + Values.goType(value) + "=" + inner(spec, 'v', value) + ")";
  }
}
