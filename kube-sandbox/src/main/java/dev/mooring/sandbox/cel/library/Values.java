package dev.mooring.sandbox.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import java.time.Duration;
import java.time.Instant;

/** Order and sums of values whose types are known at evaluation only. */
final class Values {
  private Values() {}

  /** Throws {@link FunctionError} for values that have no order. */
  static int compare(Object left, Object right) {
    return switch (left) {
      case Long number when right instanceof Long other -> number.compareTo(other);
      case UnsignedLong number when right instanceof UnsignedLong other -> number.compareTo(other);
      case Number number when right instanceof Number other ->
          Double.compare(number.doubleValue(), other.doubleValue());
      case String text when right instanceof String other -> text.compareTo(other);
      case Boolean flag when right instanceof Boolean other -> flag.compareTo(other);
      case Duration duration when right instanceof Duration other -> duration.compareTo(other);
      case Instant instant when right instanceof Instant other -> instant.compareTo(other);
      case CelByteString bytes when right instanceof CelByteString other ->
          java.util.Arrays.compareUnsigned(bytes.toByteArray(), other.toByteArray());
      default -> throw new FunctionError("no such overload");
    };
  }

  static Object add(Object left, Object right) {
    try {
      return switch (left) {
        case Long number when right instanceof Long other -> Math.addExact(number, other);
        case UnsignedLong number when right instanceof UnsignedLong other -> number.plus(other);
        case Double number when right instanceof Double other -> number + other;
        case Duration duration when right instanceof Duration other -> duration.plus(other);
        default -> throw new FunctionError("no such overload");
      };
    } catch (ArithmeticException e) {
      throw new FunctionError("integer overflow");
    }
  }
}
