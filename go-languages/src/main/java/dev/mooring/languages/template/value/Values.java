package dev.mooring.languages.template.value;

import dev.mooring.languages.TemplateFailure;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * What Go does with values of any type. Values are those of trees, {@link Missing}, {@link
 * GjsonValue}, {@link java.time.OffsetDateTime}, and lists and maps that a template made.
 */
public final class Values {
  private Values() {}

  /** As an action prints it. */
  public static String output(Object value) {
    return absent(value) ? "<no value>" : print(value);
  }

  /** As {@code %v}. */
  public static String print(Object value) {
    var out = new Bounded();
    print(value, out);
    return out.toString();
  }

  private static void print(Object value, Bounded out) {
    switch (value) {
      case null -> out.append("<nil>");
      case Missing _ -> out.append("<nil>");
      case String text -> out.append(text);
      case Number number -> out.append(Numbers.print(number));
      case GjsonValue gjson -> out.append(gjson.text());
      case Map<?, ?> map -> {
        out.append("map[");
        String separator = "";
        for (Map.Entry<?, ?> field : new TreeMap<Object, Object>(map).entrySet()) {
          out.append(separator).append((String) field.getKey()).append(":");
          print(field.getValue(), out);
          separator = " ";
        }
        out.append("]");
      }
      case List<?> list -> {
        out.append("[");
        String separator = "";
        for (Object item : list) {
          out.append(separator);
          print(item, out);
          separator = " ";
        }
        out.append("]");
      }
      case java.time.OffsetDateTime time -> out.append(GoDates.print(time));
      default -> out.append(value.toString());
    }
  }

  public static boolean absent(Object value) {
    return value == null || value == Missing.VALUE;
  }

  /** What {@code if} takes for true. */
  public static boolean truth(Object value) {
    return switch (value) {
      case null -> false;
      case Missing _ -> false;
      case Boolean flag -> flag;
      case Number number -> number.doubleValue() != 0;
      case String text -> !text.isEmpty();
      case List<?> list -> !list.isEmpty();
      case Map<?, ?> map -> !map.isEmpty();
      default -> true;
    };
  }

  /** What {@code default} replaces. */
  public static boolean empty(Object value) {
    return !truth(value);
  }

  /** For messages. */
  public static String type(Object value) {
    return switch (value) {
      case null -> "nil";
      case Missing _ -> "a missing value";
      case String _ -> "a string";
      case Boolean _ -> "a boolean";
      case Long _ -> "a whole number";
      case Number _ -> "a number";
      case Map<?, ?> _ -> "a map";
      case List<?> _ -> "a list";
      default -> "another type";
    };
  }

  /** As {@code %T}. */
  public static String goType(Object value) {
    return switch (value) {
      case null -> "<nil>";
      case Missing _ -> "<nil>";
      case String _ -> "string";
      case Boolean _ -> "bool";
      case Double _ -> "float64";
      case BigDecimal _ -> "float64";
      case Number _ -> "int64";
      case Map<?, ?> _ -> "map[string]interface {}";
      case List<?> _ -> "[]interface {}";
      case GjsonValue _ -> "gjson.Result";
      case VersionValue _ -> "*semver.Version";
      default -> "time.Time";
    };
  }

  public static String goKind(Object value) {
    return switch (value) {
      case null -> "invalid";
      case Missing _ -> "invalid";
      case Map<?, ?> _ -> "map";
      case List<?> _ -> "slice";
      case String _ -> "string";
      case Number _ -> goType(value);
      case Boolean _ -> "bool";
      case VersionValue _ -> "ptr";
      default -> "struct";
    };
  }

  /** Deeply equal; whole numbers and fractions never are. */
  public static boolean same(Object left, Object right) {
    return Objects.equals(absent(left) ? null : left, absent(right) ? null : right);
  }

  /** Throws {@link TemplateFailure} for types that cannot be compared. */
  public static boolean equal(Object left, Object right) {
    if (absent(left) || absent(right)) {
      return absent(left) && absent(right);
    }
    if (kind(left) != kind(right)) {
      throw new TemplateFailure("incompatible types for comparison");
    }
    if (kind(left) == Kind.OTHER) {
      throw new TemplateFailure("non-comparable types");
    }
    return left.equals(right);
  }

  /** Throws {@link TemplateFailure} for types that have no order. */
  public static int compare(Object left, Object right) {
    Kind kind = kind(left);
    if (kind == Kind.OTHER || kind == Kind.FLAG || kind(right) == Kind.OTHER) {
      throw new TemplateFailure("invalid type for comparison");
    }
    if (kind != kind(right)) {
      throw new TemplateFailure("incompatible types for comparison");
    }
    return switch (left) {
      case String text -> text.compareTo((String) right);
      case Double fraction -> Double.compare(fraction, (Double) right);
      default -> Long.compare(((Number) left).longValue(), ((Number) right).longValue());
    };
  }

  private enum Kind {
    TEXT,
    WHOLE,
    FRACTION,
    FLAG,
    OTHER
  }

  private static Kind kind(Object value) {
    return switch (value) {
      case String _ -> Kind.TEXT;
      case Boolean _ -> Kind.FLAG;
      case Double _ -> Kind.FRACTION;
      case Number _ -> Kind.WHOLE;
      case null, default -> Kind.OTHER;
    };
  }

  /** Parts of a value, counted no further than {@code limit}. */
  public static long weight(Object value, long limit) {
    long weight = value instanceof String text ? 1 + text.length() / 16 : 1;
    Collection<?> items =
        switch (value) {
          case Map<?, ?> map -> map.values();
          case List<?> list -> list;
          case null, default -> List.of();
        };
    for (Object item : items) {
      if (weight > limit) {
        break;
      }
      weight += weight(item, limit - weight);
    }
    return weight;
  }

  /** A copy that the template owns, and may change. */
  public static Object copy(Object value) {
    return copy(value, leaf -> leaf);
  }

  /** As {@link #copy(Object)}, with what {@code change} makes of all but maps and lists. */
  static Object copy(Object value, UnaryOperator<Object> change) {
    return switch (value) {
      case Map<?, ?> map -> {
        var copy = new TreeMap<String, Object>();
        map.forEach((key, item) -> copy.put((String) key, copy(item, change)));
        yield copy;
      }
      case List<?> list -> {
        var copy = new ArrayList<Object>(list.size());
        list.forEach(item -> copy.add(copy(item, change)));
        yield copy;
      }
      case null, default -> change.apply(value);
    };
  }
}
