package dev.mooring.sandbox.cel.library;

import java.math.BigDecimal;
import java.math.BigInteger;
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
