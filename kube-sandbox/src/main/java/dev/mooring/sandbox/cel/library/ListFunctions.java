package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code isSorted}, {@code sum}, {@code min}, {@code max}, {@code indexOf}, {@code lastIndexOf}.
 */
final class ListFunctions {
  private static final CelType ANY = TypeParamType.create("A");
  private static final Kind<Object> ELEMENT = new Kind<>(ANY, Object.class);

  @SuppressWarnings({"unchecked", "rawtypes"}) // Class<List<?>> has no literal
  private static final Kind<List<?>> LIST = new Kind<>(ListType.create(ANY), (Class) List.class);

  @SuppressWarnings({"unchecked", "rawtypes"}) // Class<List<?>> has no literal
  private static final Kind<List<?>> OPTIONALS =
      new Kind<>(ListType.create(OptionalType.create(ANY)), (Class) List.class);

  private static final Set<CelKind> COMPARABLE =
      Set.of(
          CelKind.INT,
          CelKind.UINT,
          CelKind.DOUBLE,
          CelKind.BOOL,
          CelKind.DURATION,
          CelKind.TIMESTAMP,
          CelKind.STRING,
          CelKind.BYTES);
  private static final Set<CelKind> SUMMABLE =
      Set.of(CelKind.INT, CelKind.UINT, CelKind.DOUBLE, CelKind.DURATION);

  /**
   * One overload for all elements: the runtime could not choose between several for a list whose
   * elements' type is not known. {@link #accepts} does what the type checker then cannot.
   */
  static final List<Overload> ALL =
      List.of(
          Overload.member(
              "isSorted", "list_is_sorted_bool", LIST, SimpleType.BOOL, ListFunctions::isSorted),
          Overload.member("max", "list_max", LIST, ANY, list -> extreme("max", list, 1)),
          Overload.member("min", "list_min", LIST, ANY, list -> extreme("min", list, -1)),
          Overload.member("sum", "list_sum", LIST, ANY, ListFunctions::sum),
          Overload.member(
              "indexOf",
              "list_a_index_of_int",
              LIST,
              ELEMENT,
              SimpleType.INT,
              (list, element) -> (long) list.indexOf(element)),
          Overload.member(
              "lastIndexOf",
              "list_a_last_index_of_int",
              LIST,
              ELEMENT,
              SimpleType.INT,
              (list, element) -> (long) list.lastIndexOf(element)),
          Overload.member(
              "unwrapOpt",
              "optional_unwrapOpt",
              OPTIONALS,
              ListType.create(ANY),
              ListFunctions::present));

  private ListFunctions() {}

  /** Whether the function is there for lists of such elements. */
  static boolean accepts(String function, CelType element) {
    CelKind kind = element.kind();
    return switch (function) {
      case "isSorted", "max", "min" -> COMPARABLE.contains(kind) || isOpen(kind);
      case "sum" -> SUMMABLE.contains(kind) || isOpen(kind);
      default -> true;
    };
  }

  private static boolean isOpen(CelKind kind) {
    return kind == CelKind.DYN || kind == CelKind.TYPE_PARAM;
  }

  private static boolean isSorted(List<?> list) {
    for (int i = 1; i < list.size(); i++) {
      if (Values.compare(list.get(i - 1), list.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  /** The element that others are not beyond, in the direction of the sign. */
  private static Object extreme(String function, List<?> list, int sign) {
    if (list.isEmpty()) {
      throw new FunctionError(function + " called on empty list");
    }
    Object extreme = list.getFirst();
    for (Object element : list) {
      if (Values.compare(element, extreme) * sign > 0) {
        extreme = element;
      }
    }
    return extreme;
  }

  /** What is in those optionals that are not empty; CEL-Java has it as a function only. */
  private static List<?> present(List<?> list) {
    return list.stream()
        .map(element -> (Optional<?>) element)
        .<Object>flatMap(Optional::stream)
        .toList();
  }

  private static Object sum(List<?> list) {
    Object sum = list.isEmpty() ? 0L : list.getFirst();
    for (int i = 1; i < list.size(); i++) {
      sum = Values.add(sum, list.get(i));
    }
    return sum;
  }
}
