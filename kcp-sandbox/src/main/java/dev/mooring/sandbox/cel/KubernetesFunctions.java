package dev.mooring.sandbox.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * Functions on quantities, which Kubernetes adds to the language (apiserver {@code
 * pkg/cel/library/quantity.go}).
 */
final class KubernetesFunctions {
  private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");

  private static final List<Function> FUNCTIONS =
      List.of(
          global(
              "quantity",
              CelOverloadDecl.newGlobalOverload("string_to_quantity", QUANTITY, SimpleType.STRING),
              CelFunctionBinding.from(
                  "string_to_quantity",
                  String.class,
                  text ->
                      Quantity.parse(text)
                          .orElseThrow(
                              () -> new IllegalArgumentException(text + " is not a quantity")))),
          global(
              "isQuantity",
              CelOverloadDecl.newGlobalOverload(
                  "is_quantity_string", SimpleType.BOOL, SimpleType.STRING),
              CelFunctionBinding.from(
                  "is_quantity_string", String.class, text -> Quantity.parse(text).isPresent())),
          comparison("isLessThan", "quantity_is_less_than", order -> order < 0),
          comparison("isGreaterThan", "quantity_is_greater_than", order -> order > 0),
          new Function(
              "compareTo",
              List.of(
                  CelOverloadDecl.newMemberOverload(
                      "quantity_compare_to", SimpleType.INT, QUANTITY, QUANTITY)),
              List.of(
                  CelFunctionBinding.from(
                      "quantity_compare_to",
                      Quantity.class,
                      Quantity.class,
                      (left, right) -> (long) left.compareTo(right)))),
          unary("isInteger", "quantity_is_integer", SimpleType.BOOL, Quantity::whole),
          unary(
              "asInteger",
              "quantity_get_int",
              SimpleType.INT,
              quantity -> quantity.amount().setScale(0, RoundingMode.UNNECESSARY).longValueExact()),
          unary(
              "asApproximateFloat",
              "quantity_get_float",
              SimpleType.DOUBLE,
              quantity -> quantity.amount().doubleValue()),
          unary(
              "sign",
              "quantity_sign",
              SimpleType.INT,
              quantity -> (long) quantity.amount().signum()),
          sum("add", "quantity_add", BigDecimal::add),
          sum("sub", "quantity_sub", BigDecimal::subtract));

  private KubernetesFunctions() {}

  static List<CelFunctionDecl> declarations() {
    return FUNCTIONS.stream()
        .map(function ->
            CelFunctionDecl.newFunctionDeclaration(function.name(), function.overloads()))
        .toList();
  }

  static List<CelFunctionBinding> bindings() {
    return FUNCTIONS.stream()
        .<CelFunctionBinding>flatMap(function ->
            CelFunctionBinding.fromOverloads(function.name(), function.bindings()).stream())
        .toList();
  }

  private static Function global(
      String name, CelOverloadDecl overload, CelFunctionBinding binding) {
    return new Function(name, List.of(overload), List.of(binding));
  }

  private static Function comparison(String name, String id, java.util.function.IntPredicate test) {
    return new Function(
        name,
        List.of(CelOverloadDecl.newMemberOverload(id, SimpleType.BOOL, QUANTITY, QUANTITY)),
        List.of(
            CelFunctionBinding.from(
                id,
                Quantity.class,
                Quantity.class,
                (left, right) -> test.test(left.compareTo(right)))));
  }

  private static Function unary(
      String name, String id, CelType result, java.util.function.Function<Quantity, Object> of) {
    return new Function(
        name,
        List.of(CelOverloadDecl.newMemberOverload(id, result, QUANTITY)),
        List.of(CelFunctionBinding.from(id, Quantity.class, of::apply)));
  }

  private static Function sum(
      String name, String id, java.util.function.BinaryOperator<BigDecimal> of) {
    return new Function(
        name,
        List.of(
            CelOverloadDecl.newMemberOverload(id, QUANTITY, QUANTITY, QUANTITY),
            CelOverloadDecl.newMemberOverload(id + "_int", QUANTITY, QUANTITY, SimpleType.INT)),
        List.of(
            CelFunctionBinding.from(
                id,
                Quantity.class,
                Quantity.class,
                (left, right) -> new Quantity(of.apply(left.amount(), right.amount()))),
            CelFunctionBinding.from(
                id + "_int",
                Quantity.class,
                Long.class,
                (left, right) ->
                    new Quantity(of.apply(left.amount(), BigDecimal.valueOf(right))))));
  }

  private record Function(
      String name, List<CelOverloadDecl> overloads, List<CelFunctionBinding> bindings) {}
}
