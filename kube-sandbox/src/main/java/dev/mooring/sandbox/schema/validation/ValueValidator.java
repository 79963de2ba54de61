package dev.mooring.sandbox.schema.validation;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.schema.model.Assertions;
import dev.mooring.sandbox.schema.model.Structural;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares a tree with the types and assertions of a schema. Says what Kubernetes would say,
 * oddities included (kube-openapi {@code pkg/validation/validate}); errors come in the order of the
 * schema, where Kubernetes' order varies. Given an old value, errors in unchanged parts are not
 * reported, so that a stricter schema does not block unrelated edits.
 *
 * @param prefix where the validated tree stands in its object: empty or the name of a field, which
 *     only the field of an error shows, not its text
 */
public record ValueValidator(String prefix) {
  /** In place of the old value where there is none to compare with. */
  public static final Object NOTHING_OLD = new Object();

  private static final double EXACT_BELOW = 1L << 53;

  public ValidationResult validate(
      String path, @Nullable Object value, @Nullable Object old, Structural schema) {
    var result = new ValidationResult();
    if (old != NOTHING_OLD && Objects.equals(old, value)) {
      return result;
    }
    checkType(path, value, schema, result);
    if (value != null) {
      new AlternativesValidator(this, path, value, result).check(schema.assertions());
      switch (value) {
        case String text -> {
          new ScalarValidator(this, path, schema).checkText(text, result);
          result.checked();
        }
        case Number number -> {
          new ScalarValidator(this, path, schema).checkNumber(number, result);
          result.checked();
        }
        case List<?> list -> checkItems(path, list, old, schema, result);
        default -> {}
      }
    }
    checkEnumeration(path, value, schema.assertions(), result);
    if (value instanceof Map<?, ?>) {
      checkProperties(path, Trees.mapOrEmpty(value), old, schema, result);
    }
    result.checked();
    return result;
  }

  private void checkType(
      String path, @Nullable Object value, Structural schema, ValidationResult result) {
    List<String> types =
        schema.intOrString()
            ? List.of("integer", "string")
            : schema.type().isEmpty() ? List.<String>of() : List.of(schema.type());
    String format = schema.assertions().format();
    if (types.isEmpty() && format.isEmpty()) {
      return;
    }
    String joined = String.join(",", types);
    if (value == null) {
      if (!types.isEmpty() && !schema.nullable()) {
        result.add(wrongType(path, joined, "null"));
      }
      return;
    }
    String actual = typeOf(value);
    boolean wholeDouble =
        "number".equals(actual) && whole(value) && isExact(value) && types.contains("integer");
    boolean intAsNumber = "integer".equals(actual) && types.contains("number");
    boolean fits = types.contains(actual) || wholeDouble || intAsNumber;
    boolean textual = value instanceof String || value instanceof List;
    if (!textual && !format.isEmpty() && !fits) {
      result.add(wrongType(path, format, nativeFormat(actual)));
      return;
    }
    boolean numeric = types.contains("number") || types.contains("integer");
    if (!(textual && !numeric && !format.isEmpty()) && !fits) {
      result.add(wrongType(path, joined, actual));
      return;
    }
    result.checked();
  }

  private void checkEnumeration(
      String path, @Nullable Object value, Assertions assertions, ValidationResult result) {
    List<Object> allowed = assertions.enumeration();
    if (allowed == null || allowed.stream().anyMatch(item -> sameValue(item, value))) {
      result.checked();
      return;
    }
    result.add(
        FieldError.notSupported(
            field(path),
            value,
            allowed.stream()
                .map(item -> item instanceof String text ? text : GoText.json(item))
                .toList()));
  }

  private void checkItems(
      String path, List<?> list, @Nullable Object old, Structural schema, ValidationResult result) {
    Assertions assertions = schema.assertions();
    if (schema.items() != null) {
      var oldItems = new OldItems(schema, old);
      for (int index = 0; index < list.size(); index++) {
        Object item = list.get(index);
        result.merge(
            validate(path + "[" + index + "]", item, oldItems.counterpart(item), schema.items()));
      }
    }
    if (assertions.minItems() != null && list.size() < assertions.minItems()) {
      result.add(
          invalid(
              path,
              (long) list.size(),
              "should have at least " + assertions.minItems() + " items"));
    }
    if (assertions.maxItems() != null && list.size() > assertions.maxItems()) {
      result.add(FieldError.tooMany(field(path), list.size(), assertions.maxItems()));
    }
    if (assertions.uniqueItems() && repeats(list)) {
      result.add(invalid(path, "", "shouldn't contain duplicates"));
    }
    result.checked();
  }

  private void checkProperties(
      String path,
      Map<String, Object> object,
      @Nullable Object old,
      Structural schema,
      ValidationResult result) {
    Assertions assertions = schema.assertions();
    long size = object.size();
    if (assertions.minProperties() != null && size < assertions.minProperties()) {
      result.add(
          invalid(
              path, size, "should have at least " + assertions.minProperties() + " properties"));
    }
    if (assertions.maxProperties() != null && size > assertions.maxProperties()) {
      result.add(FieldError.tooMany(field(path), size, assertions.maxProperties()));
    }
    for (Map.Entry<String, Object> entry : object.entrySet()) {
      String key = entry.getKey();
      if (schema.properties().containsKey(key)) {
        continue;
      }
      if (schema.additional() != null) {
        result.merge(
            validate(
                path + "." + key, entry.getValue(), oldProperty(old, key), schema.additional()));
      } else if (Boolean.FALSE.equals(schema.additionalAllowed())) {
        result.add(
            FieldError.invalid(
                field(path), key, path + "." + key + " in body is a forbidden property"));
      }
    }
    schema
        .properties()
        .forEach((key, property) -> {
          if (object.containsKey(key)) {
            String child = path.isEmpty() ? key : path + "." + key;
            result.merge(validate(child, object.get(key), oldProperty(old, key), property));
          }
        });
    for (String required : assertions.required()) {
      if (!object.containsKey(required)) {
        result.add(FieldError.required(field(path + "." + required), ""));
      }
    }
  }

  FieldError invalid(String path, Object value, String complaint) {
    return FieldError.invalid(field(path), value, path + " in body " + complaint);
  }

  FieldError wrongType(String path, String expected, String actual) {
    return FieldError.typeInvalid(
        field(path),
        actual,
        path + " in body must be of type " + expected + ": " + GoQuotes.quote(actual));
  }

  String field(String path) {
    String own = path.startsWith(".") ? path.substring(1) : path;
    if (own.isEmpty()) {
      return prefix.isEmpty() ? FieldError.NO_FIELD : prefix;
    }
    return prefix.isEmpty() ? own : prefix + "." + own;
  }

  private static @Nullable Object oldProperty(@Nullable Object old, String key) {
    return old instanceof Map<?, ?> map && map.containsKey(key) ? map.get(key) : NOTHING_OLD;
  }

  private static String typeOf(Object value) {
    return switch (value) {
      case Boolean _ -> "boolean";
      case String _ -> "string";
      case Long _ -> "integer";
      case Number _ -> "number";
      case List<?> _ -> "array";
      default -> "object";
    };
  }

  private static String nativeFormat(String type) {
    return switch (type) {
      case "integer" -> "int64";
      case "number" -> "float64";
      default -> "";
    };
  }

  static boolean whole(@Nullable Object number) {
    return switch (number) {
      case Long _, BigInteger _ -> true;
      case Double decimal -> decimal == Math.rint(decimal) && !Double.isInfinite(decimal);
      case BigDecimal decimal -> decimal.stripTrailingZeros().scale() <= 0;
      case null, default -> false;
    };
  }

  /** Whether Go's floating-point numbers can be trusted to be the whole number. */
  private static boolean isExact(Object number) {
    return number instanceof Number given && Math.abs(given.doubleValue()) < EXACT_BELOW;
  }

  private static boolean sameValue(@Nullable Object left, @Nullable Object right) {
    return left instanceof Number first && right instanceof Number second
        ? first.doubleValue() == second.doubleValue()
        : Objects.equals(left, right);
  }

  private static boolean repeats(List<?> list) {
    Set<Object> seen = new HashSet<>();
    return !list.stream().allMatch(seen::add);
  }
}
