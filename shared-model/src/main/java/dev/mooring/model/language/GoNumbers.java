package dev.mooring.model.language;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Numbers of trees as Go's JSON and formatting treat them. */
public final class GoNumbers {
  private static final double LONG_LIMIT = 0x1p63;

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
