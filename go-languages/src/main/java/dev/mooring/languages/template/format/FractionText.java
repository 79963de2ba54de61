package dev.mooring.languages.template.format;

import dev.mooring.languages.GoNumbers;
import dev.mooring.languages.template.value.Numbers;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Fractions as Go's strconv writes them; finite ones exactly, infinite ones as words. */
final class FractionText {
  /** As precision: the fewest digits that read back as the same number. */
  static final int SHORTEST = -1;

  private FractionText() {}

  private static boolean isWord(double number) {
    return Double.isNaN(number) || Double.isInfinite(number);
  }

  private static String sign(double number) {
    return Double.doubleToRawLongBits(number) < 0 ? "-" : "";
  }

  /** Digits behind the point. */
  static String fixed(double number, int places) {
    return isWord(number)
        ? GoNumbers.plain(number)
        : sign(number)
            + new BigDecimal(Math.abs(number))
                .setScale(places, RoundingMode.HALF_EVEN)
                .toPlainString();
  }

  /** One digit before the point and so many behind it. */
  static String exponent(double number, int places) {
    if (isWord(number)) {
      return GoNumbers.plain(number);
    }
    BigDecimal rounded =
        new BigDecimal(Math.abs(number)).round(new MathContext(places + 1, RoundingMode.HALF_EVEN));
    if (rounded.signum() == 0) {
      return sign(number) + "0" + (places > 0 ? "." + "0".repeat(places) : "") + "e+00";
    }
    int scale = rounded.scale() + places + 1 - rounded.precision();
    return sign(number) + GoNumbers.scientific(rounded.setScale(scale, RoundingMode.UNNECESSARY));
  }

  /** Significant digits, without zeros at the end; with an exponent where it is far from 1. */
  static String general(double number, int digits) {
    if (digits == SHORTEST || isWord(number) || number == 0) {
      return Numbers.general(number);
    }
    int wanted = Math.max(1, digits);
    BigDecimal decimal =
        new BigDecimal(Math.abs(number))
            .round(new MathContext(wanted, RoundingMode.HALF_EVEN))
            .stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    int known = decimal.precision();
    int limit = wanted > known && known > exponent ? known : wanted;
    return sign(number)
        + (exponent < -4 || exponent >= limit
            ? GoNumbers.scientific(decimal)
            : decimal.toPlainString());
  }

  /** With a hexadecimal fraction and a binary exponent. */
  static String hexadecimal(double number) {
    if (isWord(number) || number == 0) {
      return isWord(number) ? GoNumbers.plain(number) : sign(number) + "0x0p+00";
    }
    // Small numbers are normalized there: their digits always begin with 1.
    double scaled = Math.abs(number) < Double.MIN_NORMAL ? number * 0x1p60 : number;
    int exponent = Math.getExponent(scaled) - (scaled == number ? 0 : 60);
    String digits = Double.toHexString(Math.abs(scaled) / Math.scalb(1d, Math.getExponent(scaled)));
    String text = exponent < 0 ? "-" : "+";
    return sign(number)
        + digits.substring(0, digits.indexOf('p')).replaceFirst("[.]0$", "")
        + "p"
        + text
        + "%02d".formatted(Math.abs(exponent));
  }

  /** All bits of the digits and a binary exponent. */
  static String binary(double number) {
    if (isWord(number)) {
      return GoNumbers.plain(number);
    }
    long bits = Double.doubleToRawLongBits(number);
    long digits = bits & 0xfffffffffffffL;
    int exponent = (int) (bits >> 52 & 0x7ff);
    digits |= exponent == 0 ? 0 : 0x10000000000000L;
    int power = Math.max(1, exponent) - 1075;
    return sign(number) + digits + "p" + (power < 0 ? "" : "+") + power;
  }
}
