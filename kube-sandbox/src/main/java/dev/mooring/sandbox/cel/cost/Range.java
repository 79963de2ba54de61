package dev.mooring.sandbox.cel.cost;

/**
 * A lower and an upper bound, of a size or of a cost. Sums and products end at {@link
 * Long#MAX_VALUE}.
 */
public record Range(long min, long max) {
  static final Range NONE = new Range(0, 0);
  static final Range UNKNOWN = new Range(0, Long.MAX_VALUE);

  static Range of(long exactly) {
    return new Range(exactly, exactly);
  }

  /** Anything up to the size. */
  public static Range upTo(long max) {
    return new Range(0, max);
  }

  Range plus(Range other) {
    return new Range(plus(min, other.min), plus(max, other.max));
  }

  Range plus(long exactly) {
    return plus(of(exactly));
  }

  Range times(Range other) {
    return new Range(times(min, other.min), times(max, other.max));
  }

  /** Rounded up. */
  Range times(double factor) {
    return new Range(times(min, factor), times(max, factor));
  }

  Range union(Range other) {
    return new Range(Math.min(min, other.min), Math.max(max, other.max));
  }

  /** A sum of numbers that are not negative. */
  public static long plus(long left, long right) {
    return left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right;
  }

  /** A product of numbers that are not negative. */
  public static long times(long left, long right) {
    return right != 0 && left > Long.MAX_VALUE / right ? Long.MAX_VALUE : left * right;
  }

  private static long times(long number, double factor) {
    return (long) Math.ceil(number * factor);
  }
}
