package dev.mooring.languages.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.GoNumbers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of a tree as an expression sees it. */
public final class CelValues {
  /** Larger results could not be stored in an object. */
  private static final int RESULT_MAX = 4 * 1024 * 1024;

  private static final int DEPTH_MAX = 64;

  private final Object value;

  private CelValues(Object value) {
    this.value = value;
  }

  /** Whole numbers are {@code int}. */
  public static CelValues of(Object tree) {
    return new CelValues(convert(tree, Whole.INT));
  }

  /** Every number is {@code double}, as gjson reads numbers. */
  public static CelValues ofDoubles(Object tree) {
    return new CelValues(convert(tree, Whole.DOUBLE));
  }

  Object value() {
    return value;
  }

  private enum Whole {
    INT,
    DOUBLE
  }

  private static Object convert(Object tree, Whole whole) {
    return switch (tree) {
      case null -> NullValue.NULL_VALUE;
      case Long number -> whole == Whole.INT ? (Object) number : number.doubleValue();
      case BigInteger number ->
          whole == Whole.INT && number.signum() > 0 && number.bitLength() <= Long.SIZE
              ? UnsignedLong.valueOf(number)
              : (Object) number.doubleValue();
      case BigDecimal number -> number.doubleValue();
      case Map<?, ?> map -> {
        var copy = LinkedHashMap.<String, Object>newLinkedHashMap(map.size());
        map.forEach((key, item) -> copy.put((String) key, convert(item, whole)));
        yield Collections.unmodifiableMap(copy);
      }
      case List<?> list -> {
        var copy = new ArrayList<Object>(list.size());
        list.forEach(item -> copy.add(convert(item, whole)));
        yield Collections.unmodifiableList(copy);
      }
      default -> tree;
    };
  }

  /** Throws {@link ExpressionFailure} for what JSON cannot say. */
  static Object toTree(Object value) {
    return new Result().convert(value, 0);
  }

  /** Counts what it makes: small values can refer to the same large one many times. */
  private static final class Result {
    private long size;

    private Object convert(Object value, int depth) {
      grow(1);
      if (depth > DEPTH_MAX) {
        throw new ExpressionFailure("the result is nested deeper than " + DEPTH_MAX);
      }
      return switch (value) {
        case NullValue _ -> null;
        case String text -> {
          grow(text.length());
          yield text;
        }
        case Boolean flag -> flag;
        case Long number -> number;
        case Integer number -> number.longValue();
        case Double number -> finite(number);
        case UnsignedLong number -> {
          BigInteger whole = number.bigIntegerValue();
          yield whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : whole;
        }
        case CelByteString bytes -> {
          grow(bytes.size());
          yield Base64.getEncoder().encodeToString(bytes.toByteArray());
        }
        case Instant time -> time.toString();
        case Duration duration ->
            new BigDecimal(duration.getSeconds())
                    .add(BigDecimal.valueOf(duration.getNano(), 9))
                    .stripTrailingZeros()
                    .toPlainString()
                + "s";
        case List<?> list -> {
          var copy = new ArrayList<Object>();
          list.forEach(item -> copy.add(convert(item, depth + 1)));
          yield Collections.unmodifiableList(copy);
        }
        case Map<?, ?> map -> {
          var copy = new LinkedHashMap<String, Object>();
          map.forEach((key, item) -> copy.put(key(key), convert(item, depth + 1)));
          yield Collections.unmodifiableMap(copy);
        }
        default -> throw new ExpressionFailure("the result is not a value that JSON can hold");
      };
    }

    private String key(Object key) {
      String text =
          switch (key) {
            case String name -> name;
            case Boolean _, Long _, UnsignedLong _ -> key.toString();
            default -> throw new ExpressionFailure("the result has a key that is not a string");
          };
      grow(text.length());
      return text;
    }

    private static Object finite(double number) {
      if (Double.isNaN(number) || Double.isInfinite(number)) {
        throw new ExpressionFailure("the result is not a finite number");
      }
      return GoNumbers.normal(number);
    }

    private void grow(int by) {
      size += by;
      if (size > RESULT_MAX) {
        throw new ExpressionFailure("the result is larger than " + RESULT_MAX);
      }
    }
  }
}
