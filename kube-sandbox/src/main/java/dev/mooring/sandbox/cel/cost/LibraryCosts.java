package dev.mooring.sandbox.cel.cost;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.mooring.sandbox.cel.library.KubernetesLibraries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What calls of extensions and of Kubernetes' functions cost. */
final class LibraryCosts {
  static final double TRAVERSAL = 0.1;
  static final double REGEX = 0.25;
  private static final int LIST_BASE = 10;
  private static final int FORMAT_REGEX = 128;
  private static final Range ADDRESS = new Range(4, 16);

  private final Sizes sizes;

  LibraryCosts(Sizes sizes) {
    this.sizes = sizes;
  }

  /** Empty if the function is none of theirs. */
  Optional<Call> estimate(
      String function, String overload, @Nullable Operand target, List<Operand> arguments) {
    Optional<Call> call = lists(overload, target, arguments);
    if (call.isPresent()) {
      return call;
    }
    call =
        target == null
            ? global(function, overload, arguments)
            : member(function, overload, target, arguments);
    return call.isEmpty() && KubernetesLibraries.isAccessor(function)
        ? Optional.of(Call.ONE)
        : call;
  }

  private Optional<Call> lists(String overload, @Nullable Operand target, List<Operand> arguments) {
    return switch (overload) {
      case "list_sets_contains_list", "list_sets_intersects_list" ->
          Optional.of(Call.of(product(arguments).plus(1)));
      case "list_sets_equivalent_list" ->
          Optional.of(Call.of(product(arguments).times(2.0).plus(1)));
      case "lists_range" -> Optional.of(allocating(1, Range.of(literal(arguments.getFirst()))));
      case "list_slice" -> {
        long end = literal(arguments.get(1), target == null ? 0 : target.sizeOrUnknown().max());
        yield Optional.of(
            allocating(1, Range.of(Math.max(0, end - literal(arguments.getFirst(), 0)))));
      }
      case "list_reverse" -> target == null ? Optional.empty() : all(1, target.sizeOrUnknown());
      case "list_flatten" -> target == null ? Optional.empty() : all(1, target.sizeOrUnknown());
      case "list_flatten_int" ->
          target == null
              ? Optional.empty()
              : all(literal(arguments.getFirst()), target.sizeOrUnknown());
      case "list_distinct" -> target == null ? Optional.empty() : all(2, squared(target));
      default ->
          target != null && (overload.endsWith("_sort") || overload.equals("list_sort"))
              ? all(isText(target.type()) ? 2 + TRAVERSAL : 2, squared(target))
              : Optional.empty();
    };
  }

  private static Range product(List<Operand> arguments) {
    return arguments.getFirst().sizeOrUnknown().times(arguments.getLast().sizeOrUnknown());
  }

  private static Range squared(Operand operand) {
    return operand.sizeOrUnknown().times(operand.sizeOrUnknown());
  }

  private static boolean isText(CelType type) {
    return type instanceof ListType list
        && list.hasElemType()
        && (list.elemType().kind() == CelKind.STRING || list.elemType().kind() == CelKind.BYTES);
  }

  private static long literal(Operand operand) {
    return literal(operand, Long.MAX_VALUE);
  }

  private static long literal(Operand operand, long otherwise) {
    return operand.literal().orElse(otherwise);
  }

  private static Optional<Call> all(double factor, Range size) {
    return Optional.of(allocating(factor, size));
  }

  private static Call allocating(double factor, Range size) {
    return new Call(size.times(factor).plus(1 + LIST_BASE), size);
  }

  private static Optional<Call> global(String function, String overload, List<Operand> arguments) {
    if (arguments.isEmpty()) {
      return Optional.empty();
    }
    Range size = arguments.getFirst().sizeOrUnknown();
    return switch (function) {
      case "url" -> Optional.of(new Call(size.times(TRAVERSAL), size));
      case "cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver" ->
          Optional.of(Call.of(size.times(TRAVERSAL)));
      case "ip.isCanonical" -> Optional.of(Call.of(size.times(2 * TRAVERSAL)));
      case "format.named", "sign" -> Optional.of(Call.ONE);
      default -> Optional.empty();
    };
  }

  private Optional<Call> member(
      String function, String overload, Operand target, List<Operand> arguments) {
    Range size = target.sizeOrUnknown();
    Range first = arguments.isEmpty() ? Range.UNKNOWN : arguments.getFirst().sizeOrUnknown();
    return switch (function) {
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
          Optional.of(Call.of(search(target)));
      case "lowerAscii", "upperAscii", "substring", "trim" ->
          Optional.of(new Call(size.times(TRAVERSAL), size));
      case "replace" ->
          arguments.size() < 2
              ? Optional.empty()
              : Optional.of(
                  new Call(
                      size.times(2 * TRAVERSAL),
                      replaced(size, first, arguments.get(1).sizeOrUnknown())));
      case "split" ->
          Optional.of(
              new Call(
                  size.times(2 * TRAVERSAL),
                  Range.upTo(
                      arguments.size() > 1 ? literal(arguments.get(1), size.max()) : size.max())));
      case "join" -> Optional.of(join(target, arguments));
      case "find", "findAll" ->
          Optional.of(
              new Call(
                  size.plus(1).times(TRAVERSAL).times(first.times(REGEX)), Range.upTo(size.max())));
      case "containsIP" ->
          Optional.of(
              Call.of(
                  ADDRESS
                      .plus(ADDRESS)
                      .times(TRAVERSAL)
                      .plus(
                          overload.equals("cidr_contains_ip_string")
                              ? first.times(TRAVERSAL)
                              : Range.NONE)));
      case "containsCIDR" ->
          Optional.of(
              Call.of(
                  ADDRESS
                      .plus(ADDRESS)
                      .times(TRAVERSAL)
                      .plus(ADDRESS.times(TRAVERSAL))
                      .plus(1)
                      .plus(
                          overload.equals("cidr_contains_cidr_string")
                              ? first.times(TRAVERSAL)
                              : Range.NONE)));
      case "validate" -> Optional.of(Call.of(first.times(TRAVERSAL).times(FORMAT_REGEX * REGEX)));
      default -> Optional.empty();
    };
  }

  /** One for each element, and a traversal of each text. */
  private Range search(Operand target) {
    if (!(target.type() instanceof ListType)) {
      return target.sizeOrUnknown().times(TRAVERSAL);
    }
    Range each = Range.of(1);
    if (isText(target.type())) {
      each = each.plus(elements(target).times(TRAVERSAL));
    }
    return target.sizeOrUnknown().times(each);
  }

  private Range elements(Operand list) {
    if (list.path().isEmpty()) {
      return Range.UNKNOWN;
    }
    var path = new ArrayList<>(list.path());
    path.add("@items");
    return sizes.of(path).orElse(Range.UNKNOWN);
  }

  private Call join(Operand target, List<Operand> arguments) {
    Range count = target.sizeOrUnknown();
    Range size = count.times(elements(target));
    if (!arguments.isEmpty()) {
      var separators = new Range(Math.max(0, count.min() - 1), Math.max(0, count.max() - 1));
      size = size.plus(arguments.getFirst().sizeOrUnknown().times(separators));
    }
    return new Call(size.times(TRAVERSAL), size);
  }

  /** The size after replacing as much, or as little, as possible. */
  private static Range replaced(Range size, Range from, Range to) {
    long countMax = 0;
    long keptMax = 0;
    if (from.min() == 0) {
      countMax = Range.plus(size.max(), 1);
      keptMax = size.max();
    } else if (to.max() <= from.min()) {
      keptMax = size.max();
    } else {
      countMax = (long) Math.ceil((double) size.max() / from.min());
    }
    long countMin = 0;
    long keptMin = 0;
    if (from.max() == 0) {
      countMin = Range.plus(size.min(), 1);
      keptMin = size.min();
    } else if (from.max() <= to.min()) {
      keptMin = size.min();
    } else {
      countMin = (long) Math.ceil((double) size.min() / from.max());
    }
    return new Range(countMin, countMax).times(to).plus(new Range(keptMin, keptMax));
  }
}
