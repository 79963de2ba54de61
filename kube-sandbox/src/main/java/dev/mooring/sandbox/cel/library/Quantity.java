package dev.mooring.sandbox.cel.library;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount with a unit prefix, {@code 500m} or {@code 1.5Gi}; compared by amount. */
public record Quantity(BigDecimal amount) implements Comparable<Quantity> {
  private static final Pattern TEXT =
      Pattern.compile(
          "([+-]?(?:[0-9]{1,100}(?:\\.[0-9]{0,100})?|\\.[0-9]{1,100}))"
              + "(n|u|m||k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?[0-9]{1,3})");

  /** Kubernetes knows no smaller part than a billionth. */
  private static final int SCALE_MAX = 9;

  private static final int BINARY_MAX = 60;
  private static final Map<String, Integer> DECIMAL =
      Map.of("n", -9, "u", -6, "m", -3, "", 0, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
  private static final Map<String, Integer> BINARY =
      Map.of("Ki", 10, "Mi", 20, "Gi", 30, "Ti", 40, "Pi", 50, "Ei", 60);

  /** Empty if the text is no quantity. */
  public static Optional<Quantity> parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var number = new BigDecimal(matcher.group(1));
    String suffix = matcher.group(2);
    if (DECIMAL.containsKey(suffix)) {
      return Optional.of(new Quantity(number.scaleByPowerOfTen(DECIMAL.get(suffix))));
    }
    if (BINARY.containsKey(suffix)) {
      var factor = new BigDecimal(BigInteger.ONE.shiftLeft(BINARY.get(suffix)));
      return Optional.of(new Quantity(number.multiply(factor)));
    }
    return Optional.of(
        new Quantity(number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)))));
  }

  /**
   * The text as Kubernetes writes it, which is how it reads back: the largest prefix that needs no
   * fraction, so {@code 0.5} as {@code 500m} and {@code 1.5Gi} as {@code 1536Mi}. Empty if the text
   * is no quantity.
   */
  public static Optional<String> canonical(String text) {
    Matcher matcher = TEXT.matcher(text);
    return matcher.matches()
        ? parse(text).map(quantity -> quantity.written(matcher.group(2)))
        : Optional.empty();
  }

  private String written(String suffix) {
    if (amount.signum() == 0) {
      return "0";
    }
    boolean large = amount.abs().compareTo(BigDecimal.valueOf(1024)) >= 0;
    if (BINARY.containsKey(suffix) && large && whole()) {
      return writtenInBinary();
    }
    BigDecimal digits = amount.setScale(SCALE_MAX, RoundingMode.UP).stripTrailingZeros();
    int exponent = Math.floorDiv(-digits.scale(), 3) * 3;
    String number = digits.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
    boolean decimal = DECIMAL.containsKey(suffix) || BINARY.containsKey(suffix);
    return decimal && DECIMAL.containsValue(exponent)
        ? number + prefix(DECIMAL, exponent)
        : number + (exponent == 0 ? "" : "e" + exponent);
  }

  private String writtenInBinary() {
    BigInteger number = amount.toBigIntegerExact();
    int shift = 0;
    while (shift < BINARY_MAX && number.getLowestSetBit() >= 10) {
      number = number.shiftRight(10);
      shift += 10;
    }
    return number + (shift == 0 ? "" : prefix(BINARY, shift));
  }

  private static String prefix(Map<String, Integer> prefixes, int exponent) {
    return prefixes.entrySet().stream()
        .filter(entry -> entry.getValue() == exponent)
        .map(Map.Entry::getKey)
        .findAny()
        .orElseThrow();
  }

  boolean whole() {
    return amount.stripTrailingZeros().scale() <= 0;
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity that && amount.compareTo(that.amount) == 0;
  }

  @Override
  public int hashCode() {
    return amount.stripTrailingZeros().hashCode();
  }
}
