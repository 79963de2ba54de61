package dev.mooring.sandbox.cel.library;

import com.google.common.collect.Comparators;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code isSorted}, {@code sum}, {@code min}, {@code max}, {@code indexOf}, {@code lastIndexOf}.
 * One overload for all elements: the runtime could not choose between several for a list whose
 * elements' type is not known. {@link #accepts} does what the type checker then cannot.
 */
final class ListFunctions {
  private static final Set<CelKind> SUMMABLE =
      EnumSet.of(
          CelKind.INT,
          CelKind.UINT,
          CelKind.DOUBLE,
          CelKind.DURATION,
          CelKind.DYN,
          CelKind.TYPE_PARAM);
  private static final Set<CelKind> COMPARABLE =
      EnumSet.of(CelKind.BOOL, CelKind.TIMESTAMP, CelKind.STRING, CelKind.BYTES);

  static final List<Overload> ALL =
      List.of(
          Overload.unary(
              "(list(A)) isSorted() bool",
              (List<Object> list) -> Comparators.isInOrder(list, Values::compare)),
          Overload.unary(
              "(list(A)) max() A", (List<Object> list) -> Collections.max(list, Values::compare)),
          Overload.unary(
              "(list(A)) min() A", (List<Object> list) -> Collections.min(list, Values::compare)),
          Overload.unary(
              "(list(A)) sum() A",
              (List<Object> list) -> list.stream().reduce(Values::add).orElse(0L)),
          Overload.binary(
              "(list(A)) indexOf(A) int",
              (List<Object> list, Object element) -> (long) list.indexOf(element)),
          Overload.binary(
              "(list(A)) lastIndexOf(A) int",
              (List<Object> list, Object element) -> (long) list.lastIndexOf(element)),
          // CEL-Java has it as a function only.
          Overload.unary(
              "(list(optional(A))) unwrapOpt() list(A)",
              (List<Optional<?>> list) ->
                  list.stream().<Object>flatMap(Optional::stream).toList()));

  private ListFunctions() {}

  /** Whether the function is there for lists of such elements. */
  static boolean accepts(String function, CelType element) {
    return switch (function) {
      case "sum" -> SUMMABLE.contains(element.kind());
      case "isSorted", "max", "min" ->
          SUMMABLE.contains(element.kind()) || COMPARABLE.contains(element.kind());
      default -> true;
    };
  }
}
