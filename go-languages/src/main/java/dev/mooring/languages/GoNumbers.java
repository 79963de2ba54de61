package dev.mooring.languages;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers of trees as Go's JSON and formatting treat them. */
public final class GoNumbers {
  private static final double LONG_LIMIT = 0x1p63;

  private static final Pattern DECIMAL =
      Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+)(e[+-]?[0-9]+)?");

  private static final Pattern HEXADECIMAL =
      Pattern.compile("0x([0-9a-f]+\\.?[0-9a-f]*|\\.[0-9a-f]+)p[+-]?[0-9]+");

  private GoNumbers() {}

  /**
   * As a tree holds it: whole numbers are {@code Long} where they fit, so that what was computed as
   * a fraction equals what is read back.
   */
  public static Object normal(double number) {
    return number == Math.rint(number) && Math.abs(number) < LONG_LIMIT
        ? (Object) (long) number
        : number;
  }

  /** Shortest decimal text without an exponent, as Go's {@code FormatFloat(f, 'f', -1, 64)}. */
  public static String plain(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "+Inf" : "-Inf";
    }
    if (number == 0) {
      return 1 / number < 0 ? "-0" : "0";
    }
    return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
  }

  /**
   * As Go's {@code ParseFloat} whose error is not looked at; empty for a text that is no number.
   */
  public static Optional<Double> parse(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String size = text.substring(signed ? 1 : 0).toLowerCase(Locale.ROOT);
    double sign = text.startsWith("-") ? -1 : 1;
    if (size.equals("inf") || size.equals("infinity")) {
      return Optional.of(sign * Double.POSITIVE_INFINITY);
    }
    if (size.equals("nan") && !signed) {
      return Optional.of(Double.NaN);
    }
    return DECIMAL.matcher(size).matches() || HEXADECIMAL.matcher(size).matches()
        ? Optional.of(sign * Double.parseDouble(size))
        : Optional.empty();
  }

  /** With one digit before the point and an exponent of at least two digits. */
  public static String scientific(BigDecimal decimal) {
    String digits = decimal.unscaledValue().abs().toString();
    int exponent = decimal.precision() - decimal.scale() - 1;
    return (decimal.signum() < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e-" : "e+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }

  /** Any number of a tree as decimal text. */
  public static String plain(Number number) {
    return switch (number) {
      case Double fraction -> plain(fraction.doubleValue());
      case BigDecimal decimal -> decimal.toPlainString();
      case BigInteger whole -> whole.toString();
      default -> Long.toString(number.longValue());
    };
  }
}
