package dev.mooring.languages.template.value;

import dev.mooring.languages.GoNumbers;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Conversions of sprig, which never fail, and Go's formats. */
public final class Numbers {
  /** Exponents from here on are written as such. */
  private static final int SHORTEST_LIMIT = 6;

  private Numbers() {}

  /** As {@code cast.ToInt64}: 0 for what is no number. */
  public static long whole(Object value) {
    return switch (value) {
      case Long number -> number;
      case Number number -> number.longValue();
      case Boolean flag -> flag ? 1 : 0;
      case String text -> parseWhole(text);
      case GjsonValue gjson -> parseWhole(gjson.text());
      case null, default -> 0;
    };
  }

  /** As {@code cast.ToFloat64}: 0 for what is no number. */
  public static double fraction(Object value) {
    return switch (value) {
      case Number number -> number.doubleValue();
      case Boolean flag -> flag ? 1 : 0;
      case String text -> parse(text);
      case GjsonValue gjson -> parse(gjson.text());
      case null, default -> 0;
    };
  }

  /** A decimal number; 0 for anything else. */
  static double parse(String text) {
    if (!text.matches("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,4})?")) {
      return 0;
    }
    return Double.parseDouble(text);
  }

  /** Whole numbers with Go's prefixes, also {@code 8.0}. */
  private static long parseWhole(String text) {
    String digits = text.matches("[+-]?[0-9]+\\.0*") ? text.substring(0, text.indexOf('.')) : text;
    String sign = digits.startsWith("-") ? "-" : "";
    String plain = digits.startsWith("-") || digits.startsWith("+") ? digits.substring(1) : digits;
    try {
      return switch (plain.length() > 2
          ? plain.substring(0, 2).toLowerCase(java.util.Locale.ROOT)
          : "") {
        case "0x" -> Long.parseLong(sign + plain.substring(2), 16);
        case "0o" -> Long.parseLong(sign + plain.substring(2), 8);
        case "0b" -> Long.parseLong(sign + plain.substring(2), 2);
        default ->
            plain.startsWith("+") || plain.startsWith("-")
                ? 0
                : Long.parseLong(
                    sign + plain, plain.length() > 1 && plain.startsWith("0") ? 8 : 10);
      };
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** As {@code %v} prints it. */
  static String print(Number number) {
    return switch (number) {
      case Double fraction -> general(fraction);
      case BigDecimal decimal -> general(decimal.doubleValue());
      case BigInteger whole -> whole.toString();
      default -> Long.toString(number.longValue());
    };
  }

  /** Shortest digits; with an exponent below -4 and from {@value #SHORTEST_LIMIT} on. */
  public static String general(double number) {
    if (number == 0 || Double.isNaN(number) || Double.isInfinite(number)) {
      return GoNumbers.plain(number);
    }
    BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    return exponent < -4 || exponent >= SHORTEST_LIMIT
        ? GoNumbers.scientific(decimal)
        : decimal.toPlainString();
  }
}
