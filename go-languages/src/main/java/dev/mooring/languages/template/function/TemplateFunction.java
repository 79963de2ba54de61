package dev.mooring.languages.template.function;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.value.GjsonValue;
import dev.mooring.languages.template.value.Missing;
import dev.mooring.languages.template.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A function of templates. Arguments come in the order of the call; the piped value is last.
 *
 * @param kinds of the arguments; the last one repeats if {@code most} is greater
 * @param shortCircuit for functions that may not look at all arguments; null for others
 */
public record TemplateFunction(
    String name,
    List<Kind> kinds,
    int least,
    int most,
    Result result,
    ShortCircuit shortCircuit,
    Body body) {
  public TemplateFunction {
    kinds = List.copyOf(kinds);
  }

  /** What a parameter takes. */
  enum Kind {
    TEXT(
        "a string",
        value -> value instanceof GjsonValue gjson ? gjson.text() : as(String.class, value)),
    WHOLE(
        "a whole number",
        value ->
            value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15
                ? (Object) number.longValue()
                : as(Long.class, value)),
    FRACTION("a number", value -> value instanceof Number number ? number.doubleValue() : null),
    FLAG("a boolean", value -> as(Boolean.class, value)),
    /** Nil counts as an empty map. */
    MAP("a map", value -> value == null ? Map.of() : as(Map.class, value)),
    LIST("a list", value -> as(List.class, value)),
    /** Anything, also nil. */
    ANY("a value", value -> value);

    private final String text;
    private final UnaryOperator<Object> conversion;

    /**
     * @param conversion gives null for what does not fit
     */
    Kind(String text, UnaryOperator<Object> conversion) {
      this.text = text;
      this.conversion = conversion;
    }

    private static Object as(Class<?> type, Object value) {
      return type.isInstance(value) ? value : null;
    }
  }

  /** Where a result comes from. */
  public enum Result {
    /** One of the arguments, part of one, or something small. */
    GIVEN,
    /** A new list or map, which counts against the budget. */
    MADE
  }

  /** The truth value that ends the evaluation of arguments. */
  public enum ShortCircuit {
    TRUE,
    FALSE
  }

  /** What a function does with arguments of the right kinds. */
  interface Body {
    Object call(Arguments arguments);
  }

  /** Throws what {@code invalid} makes if the function does not take so many arguments. */
  public void requireCount(int given, Function<String, InvalidTemplate> invalid) {
    if (given < least || given > most) {
      throw invalid.apply("wrong number of arguments for " + name + ": " + given);
    }
  }

  public Object call(List<Object> arguments) {
    var converted = new ArrayList<Object>(arguments.size());
    for (int i = 0; i < arguments.size(); i++) {
      Kind kind = kinds.get(Math.min(i, kinds.size() - 1));
      Object argument = arguments.get(i) == Missing.VALUE ? null : arguments.get(i);
      converted.add(convert(kind, argument));
    }
    return body.call(new Arguments(name, converted));
  }

  private Object convert(Kind kind, Object argument) {
    Object converted = kind.conversion.apply(argument);
    if (converted == null && kind != Kind.ANY) {
      throw wrong(kind.text, argument);
    }
    return converted;
  }

  private TemplateFailure wrong(String expected, Object argument) {
    return new TemplateFailure(
        argument == null
            ? name + ": the value is missing; expected " + expected
            : name + ": expected " + expected + ", got " + Values.type(argument));
  }
}
