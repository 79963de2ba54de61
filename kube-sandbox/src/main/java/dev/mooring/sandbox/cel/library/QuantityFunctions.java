package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** {@code quantity()} and what belongs to it. */
final class QuantityFunctions {
  private static final Kind<Quantity> QUANTITY = Kind.opaque("kubernetes.Quantity", Quantity.class);
  private static final CelType TYPE = QUANTITY.type();
  private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

  static final List<Overload> ALL =
      Stream.of(
              List.of(
                  Overload.global(
                      "quantity",
                      "string_to_quantity",
                      Kind.STRING,
                      TYPE,
                      QuantityFunctions::parse),
                  Overload.global(
                      "isQuantity",
                      "is_quantity_string",
                      Kind.STRING,
                      SimpleType.BOOL,
                      text -> Quantity.parse(text).isPresent()),
                  Overload.global(
                      "sign",
                      "quantity_sign",
                      QUANTITY,
                      SimpleType.INT,
                      quantity -> (long) quantity.amount().signum()),
                  Overload.member(
                      "isLessThan",
                      "quantity_is_less_than",
                      QUANTITY,
                      QUANTITY,
                      SimpleType.BOOL,
                      (left, right) -> left.compareTo(right) < 0),
                  Overload.member(
                      "isGreaterThan",
                      "quantity_is_greater_than",
                      QUANTITY,
                      QUANTITY,
                      SimpleType.BOOL,
                      (left, right) -> left.compareTo(right) > 0),
                  Overload.member(
                      "compareTo",
                      "quantity_compare_to",
                      QUANTITY,
                      QUANTITY,
                      SimpleType.INT,
                      (left, right) -> (long) left.compareTo(right)),
                  Overload.member(
                      "isInteger",
                      "quantity_is_integer",
                      QUANTITY,
                      SimpleType.BOOL,
                      QuantityFunctions::isInteger),
                  Overload.member(
                      "asInteger",
                      "quantity_get_int",
                      QUANTITY,
                      SimpleType.INT,
                      QuantityFunctions::integer),
                  Overload.member(
                      "asApproximateFloat",
                      "quantity_get_float",
                      QUANTITY,
                      SimpleType.DOUBLE,
                      quantity -> quantity.amount().doubleValue())),
              sum("add", "quantity_add", BigDecimal::add),
              sum("sub", "quantity_sub", BigDecimal::subtract))
          .flatMap(List::stream)
          .toList();

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

  private static List<Overload> sum(String name, String id, BinaryOperator<BigDecimal> of) {
    return List.of(
        Overload.member(
            name,
            id,
            QUANTITY,
            QUANTITY,
            TYPE,
            (left, right) -> new Quantity(of.apply(left.amount(), right.amount()))),
        Overload.member(
            name,
            id + "_int",
            QUANTITY,
            Kind.INT,
            TYPE,
            (left, right) -> new Quantity(of.apply(left.amount(), BigDecimal.valueOf(right)))));
  }
}
