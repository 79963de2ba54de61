package dev.mooring.sandbox.cel.library;

import java.math.BigDecimal;
import java.util.List;

/** {@code quantity()} and what belongs to it. */
final class QuantityFunctions {
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  static final List<Overload> ALL =
      List.of(
          Overload.unary("quantity(string) Quantity", QuantityFunctions::parse),
          Overload.unary(
              "isQuantity(string) bool", (String text) -> Quantity.parse(text).isPresent()),
          Overload.unary(
              "sign(Quantity) int", (Quantity quantity) -> (long) quantity.amount().signum()),
          Overload.binary(
              "(Quantity) isLessThan(Quantity) bool",
              (Quantity left, Quantity right) -> left.compareTo(right) < 0),
          Overload.binary(
              "(Quantity) isGreaterThan(Quantity) bool",
              (Quantity left, Quantity right) -> left.compareTo(right) > 0),
          Overload.binary(
              "(Quantity) compareTo(Quantity) int",
              (Quantity left, Quantity right) -> (long) left.compareTo(right)),
          Overload.unary("(Quantity) isInteger() bool", QuantityFunctions::isInteger),
          Overload.unary("(Quantity) asInteger() int", QuantityFunctions::integer),
          Overload.unary(
              "(Quantity) asApproximateFloat() double",
              (Quantity quantity) -> quantity.amount().doubleValue()),
          Overload.binary(
              "(Quantity) add(Quantity) Quantity",
              (Quantity left, Quantity right) -> plus(left, right.amount())),
          Overload.binary(
              "(Quantity) add(int) Quantity",
              (Quantity left, Long right) -> plus(left, BigDecimal.valueOf(right))),
          Overload.binary(
              "(Quantity) sub(Quantity) Quantity",
              (Quantity left, Quantity right) -> plus(left, right.amount().negate())),
          Overload.binary(
              "(Quantity) sub(int) Quantity",
              (Quantity left, Long right) -> plus(left, BigDecimal.valueOf(right).negate())));

  private QuantityFunctions() {}

  private static Quantity parse(String text) {
    return Quantity.parse(text)
        .orElseThrow(() ->
            new FunctionError(
                "quantities must match the regular expression"
                    + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"));
  }

  private static boolean isInteger(Quantity quantity) {
    return quantity.whole() && quantity.amount().abs().compareTo(LONG_MAX) <= 0;
  }

  private static long integer(Quantity quantity) {
    if (!isInteger(quantity)) {
      throw new FunctionError("cannot convert value to integer");
    }
    return quantity.amount().longValueExact();
  }

  private static Quantity plus(Quantity left, BigDecimal right) {
    return new Quantity(left.amount().add(right));
  }
}
