package dev.mooring.sandbox.cel.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
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
  private static final Range ADDRESSES = new Range(4, 16).plus(new Range(4, 16)).times(TRAVERSAL);

  /**
   * What a call costs without its arguments.
   *
   * @param size of the result; null if unknown
   */
  record Call(Range cost, @Nullable Range size) {
    static final Call ONE = new Call(Range.of(1), null);

    static Call of(Range cost) {
      return new Call(cost, null);
    }
  }

  /**
   * An argument or the target of a call.
   *
   * @param path from a variable; empty if it is not reached from one
   * @param size null if unknown
   */
  record Operand(CelExpr expression, List<String> path, CelType type, @Nullable Range size) {
    Range sizeOrUnknown() {
      return size == null ? Range.UNKNOWN : size;
    }

    /** The value of an integer literal. */
    Optional<Long> literal() {
      return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
              && expression.constant().getKind() == CelConstant.Kind.INT64_VALUE
          ? Optional.of(expression.constant().int64Value())
          : Optional.empty();
    }
  }

  private final Sizes sizes;

  LibraryCosts(Sizes sizes) {
    this.sizes = sizes;
  }

  /** Null if the function is none of theirs, or costs as little as most. */
  @Nullable Call estimate(
      String function, String overload, @Nullable Operand target, List<Operand> arguments) {
    if (target != null) {
      return member(function, overload, target, arguments);
    }
    if (arguments.isEmpty()) {
      return null;
    }
    Operand first = arguments.getFirst();
    Range size = first.sizeOrUnknown();
    Range product = size.times(arguments.getLast().sizeOrUnknown());
    return switch (function) {
      case "sets.contains", "sets.intersects" -> Call.of(product.plus(1));
      case "sets.equivalent" -> Call.of(product.times(2.0).plus(1));
      case "lists.range" -> allocating(1, Range.of(literal(first, Long.MAX_VALUE)));
      case "url" -> new Call(size.times(TRAVERSAL), size);
      case "cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver" ->
          Call.of(size.times(TRAVERSAL));
      case "ip.isCanonical" -> Call.of(size.times(2 * TRAVERSAL));
      default -> null;
    };
  }

  private @Nullable Call member(
      String function, String overload, Operand target, List<Operand> arguments) {
    Range size = target.sizeOrUnknown();
    Range first = arguments.isEmpty() ? Range.UNKNOWN : arguments.getFirst().sizeOrUnknown();
    return switch (function) {
      case "slice" -> {
        long end = literal(arguments.get(1), size.max());
        yield allocating(1, Range.of(Math.max(0, end - literal(arguments.getFirst(), 0))));
      }
      case "reverse" -> allocating(1, size);
      case "flatten" ->
          allocating(arguments.isEmpty() ? 1 : literal(arguments.getFirst(), Long.MAX_VALUE), size);
      case "distinct" -> allocating(2, size.times(size));
      case "sort" -> allocating(isText(target.type()) ? 2 + TRAVERSAL : 2, size.times(size));
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> Call.of(search(target));
      case "lowerAscii", "upperAscii", "substring", "trim" -> new Call(size.times(TRAVERSAL), size);
      case "replace" ->
          new Call(
              size.times(2 * TRAVERSAL), replaced(size, first, arguments.get(1).sizeOrUnknown()));
      case "split" ->
          new Call(
              size.times(2 * TRAVERSAL),
              Range.upTo(
                  arguments.size() > 1 ? literal(arguments.get(1), size.max()) : size.max()));
      case "join" -> join(target, arguments);
      case "find", "findAll" ->
          new Call(size.plus(1).times(TRAVERSAL).times(first.times(REGEX)), Range.upTo(size.max()));
      case "containsIP" -> Call.of(ADDRESSES.plus(parsing(overload, first)));
      case "containsCIDR" ->
          Call.of(
              ADDRESSES
                  .plus(new Range(4, 16).times(TRAVERSAL))
                  .plus(1)
                  .plus(parsing(overload, first)));
      case "validate" -> Call.of(first.times(TRAVERSAL).times(FORMAT_REGEX * REGEX));
      default -> null;
    };
  }

  /** Of an address that is given as a text. */
  private static Range parsing(String overload, Range text) {
    return overload.contains("(string)") ? text.times(TRAVERSAL) : Range.NONE;
  }

  private static boolean isText(CelType type) {
    return type instanceof ListType list
        && list.hasElemType()
        && (list.elemType().kind() == CelKind.STRING || list.elemType().kind() == CelKind.BYTES);
  }

  private static long literal(Operand operand, long otherwise) {
    return operand.literal().orElse(otherwise);
  }

  private static Call allocating(double factor, Range size) {
    return new Call(size.times(factor).plus(1 + LIST_BASE), size);
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
    Range most = replaced(size.max(), from.min(), to.max() <= from.min());
    Range least = replaced(size.min(), from.max(), from.max() <= to.min());
    return new Range(least.min(), most.min()).times(to).plus(new Range(least.max(), most.max()));
  }

  /** How often a text is replaced in one of the size, and how much of it then stays. */
  private static Range replaced(long size, long from, boolean keeping) {
    if (from == 0) {
      return new Range(Range.plus(size, 1), size);
    }
    return keeping ? new Range(0, size) : new Range((long) Math.ceil((double) size / from), 0);
  }
}
