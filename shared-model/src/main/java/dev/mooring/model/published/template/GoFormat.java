package dev.mooring.model.published.template;

import dev.mooring.model.language.GoNumbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Go's fmt, as far as templates can call it. */
final class GoFormat {
  private static final int WIDTH_MAX = 1024;

  private GoFormat() {}

  /** A space between operands of which neither is a string. */
  static String print(List<Object> values) {
    var out = new Bounded();
    for (int i = 0; i < values.size(); i++) {
      if (i > 0 && !(values.get(i) instanceof String) && !(values.get(i - 1) instanceof String)) {
        out.append(" ");
      }
      out.append(Values.print(values.get(i)));
    }
    return out.toString();
  }

  static String printLine(List<Object> values) {
    var out = new Bounded();
    for (int i = 0; i < values.size(); i++) {
      out.append(i > 0 ? " " : "").append(Values.print(values.get(i)));
    }
    return out.append("\n").toString();
  }

  static String format(String format, List<Object> values) {
    var out = new Bounded();
    int next = 0;
    for (int i = 0; i < format.length(); i++) {
      int percent = format.indexOf('%', i);
      if (percent < 0) {
        out.append(format.substring(i));
        break;
      }
      out.append(format.substring(i, percent));
      int end = percent + 1;
      while (end < format.length() && "+-# 0123456789.".indexOf(format.charAt(end)) >= 0) {
        end++;
      }
      if (end == format.length()) {
        out.append("%!(NOVERB)");
        break;
      }
      char verb = format.charAt(end);
      if (verb == '[' || verb == '*') {
        throw new TemplateFailure("printf: \"" + verb + "\" is not supported in a format");
      }
      if (verb == '%') {
        out.append("%");
      } else if (next == values.size()) {
        out.append("%!" + verb + "(MISSING)");
      } else {
        out.append(one(new Flags(format.substring(percent + 1, end)), verb, values.get(next++)));
      }
      i = end;
    }
    if (next < values.size()) {
      out.append("%!(EXTRA ");
      for (int i = next; i < values.size(); i++) {
        out.append(i > next ? ", " : "")
            .append(Values.goType(values.get(i)) + "=" + Values.print(values.get(i)));
      }
      out.append(")");
    }
    return out.toString();
  }

  /** What stands between the percent sign and the verb. */
  private record Flags(String text) {
    boolean has(char flag) {
      String flags = text.replaceFirst("[1-9.].*$", "");
      return flags.indexOf(flag) >= 0;
    }

    int width() {
      return number(text.replaceFirst("^[+\\-# 0]*", "").replaceFirst("\\..*$", ""), 0);
    }

    /** Negative if there is none. */
    int precision() {
      int dot = text.indexOf('.');
      return dot < 0 ? -1 : number(text.substring(dot + 1), 0);
    }

    private static int number(String digits, int otherwise) {
      if (digits.isEmpty()) {
        return otherwise;
      }
      if (!digits.matches("[0-9]{1,4}") || Integer.parseInt(digits) > WIDTH_MAX) {
        throw new TemplateFailure("printf: a width is no number up to " + WIDTH_MAX);
      }
      return Integer.parseInt(digits);
    }
  }

  private static String one(Flags flags, char verb, Object value) {
    String text = body(flags, verb, value);
    int missing = flags.width() - text.codePointCount(0, text.length());
    if (missing <= 0) {
      return text;
    }
    if (flags.has('-')) {
      return text + " ".repeat(missing);
    }
    boolean signed = text.startsWith("-") || text.startsWith("+");
    return flags.has('0') && (value instanceof Number || value instanceof String)
        ? (signed ? text.substring(0, 1) : "")
            + "0".repeat(missing)
            + text.substring(signed ? 1 : 0)
        : " ".repeat(missing) + text;
  }

  private static String body(Flags flags, char verb, Object value) {
    return switch (verb) {
      case 'v' ->
          flags.has('+') && value instanceof Number n ? signed(flags, n) : Values.print(value);
      case 'T' -> Values.goType(value);
      case 's' ->
          switch (value) {
            case null -> "%!s(<nil>)";
            case Number _, Boolean _ -> bad(verb, value);
            default -> cut(Values.print(value), flags.precision());
          };
      case 'q' ->
          switch (value) {
            case String text -> GoQuotes.quote(cut(text, flags.precision()));
            case null -> "%!q(<nil>)";
            default -> bad(verb, value);
          };
      case 'd' -> value instanceof Long n ? signed(flags, n) : bad(verb, value);
      case 't' -> value instanceof Boolean flag ? flag.toString() : bad(verb, value);
      case 'x', 'X' -> hex(verb, value);
      case 'o' -> value instanceof Long n ? Long.toString(n, 8) : bad(verb, value);
      case 'b' -> value instanceof Long n ? Long.toString(n, 2) : bad(verb, value);
      case 'c' ->
          value instanceof Long n && Character.isValidCodePoint(n.intValue())
              ? Character.toString(n.intValue())
              : bad(verb, value);
      case 'f', 'F' -> value instanceof Double n ? plus(flags, fixed(n, flags)) : bad(verb, value);
      case 'e' -> value instanceof Double n ? plus(flags, exponent(n, flags)) : bad(verb, value);
      case 'g' -> value instanceof Double n ? plus(flags, Numbers.general(n)) : bad(verb, value);
      default -> bad(verb, value);
    };
  }

  private static String signed(Flags flags, Number number) {
    return plus(flags, Numbers.print(number));
  }

  private static String plus(Flags flags, String number) {
    return flags.has('+') && !number.startsWith("-") ? "+" + number : number;
  }

  private static String fixed(double number, Flags flags) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return GoNumbers.plain(number);
    }
    int places = flags.precision() < 0 ? 6 : flags.precision();
    return new BigDecimal(number).setScale(places, RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String exponent(double number, Flags flags) {
    int places = flags.precision() < 0 ? 6 : flags.precision();
    return String.format(java.util.Locale.ROOT, "%." + places + "e", number);
  }

  private static String hex(char verb, Object value) {
    String text =
        switch (value) {
          case Long n -> Long.toString(n, 16);
          case String s -> HexFormat.of().formatHex(s.getBytes(StandardCharsets.UTF_8));
          case null, default -> null;
        };
    if (text == null) {
      return bad(verb, value);
    }
    return verb == 'X' ? text.toUpperCase(java.util.Locale.ROOT) : text;
  }

  private static String cut(String text, int precision) {
    return precision < 0 || text.codePointCount(0, text.length()) <= precision
        ? text
        : text.substring(0, text.offsetByCodePoints(0, precision));
  }

  private static String bad(char verb, Object value) {
    return value == null
        ? "%!" + verb + "(<nil>)"
        : "%!" + verb + "(" + Values.goType(value) + "=" + Values.print(value) + ")";
  }
}
