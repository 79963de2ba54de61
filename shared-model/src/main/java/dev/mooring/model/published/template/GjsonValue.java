package dev.mooring.model.published.template;

import dev.mooring.model.language.ExpressionFailure;
import dev.mooring.model.language.InvalidExpression;
import dev.mooring.model.language.JsonPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code .Value} of a mutation's template: what is at a path, with the methods of gjson's Result
 * ({@code .Value.String}, {@code .Value.Exists}, {@code .Value.Get "path"}, ...). Where a function
 * wants a string, its text is taken.
 */
public record GjsonValue(JsonPath.Result result) {
  /** Its text; empty if nothing is there. */
  String text() {
    return JsonPath.text(result);
  }

  private Object value() {
    return switch (result) {
      case JsonPath.Result.Missing() -> null;
      case JsonPath.Result.Found(var value) -> value;
    };
  }

  /** Throws {@link TemplateFailure} for a name that gjson's Result does not have. */
  Object member(String name, List<Object> arguments) {
    if (!name.equals("Get") && !arguments.isEmpty()) {
      throw new TemplateFailure("." + name + " takes no arguments");
    }
    Object value = value();
    return switch (name) {
      case "String" -> text();
      case "Exists" -> result instanceof JsonPath.Result.Found;
      case "Value" -> go(value);
      case "Bool" -> bool(value);
      case "Int", "Uint" -> (long) number(value);
      case "Float", "Num" -> number(value);
      case "Str" -> value instanceof String text ? text : "";
      case "Raw" -> result instanceof JsonPath.Result.Found ? TemplateJson.raw(value) : "";
      case "Type" -> type(value);
      case "IsArray" -> value instanceof List<?>;
      case "IsObject" -> value instanceof Map<?, ?>;
      case "IsBool" -> value instanceof Boolean;
      case "Array" -> array(value);
      case "Map" -> map(value);
      case "Get" -> get(value, arguments);
      default -> throw new TemplateFailure("can't evaluate field " + name + " of .Value");
    };
  }

  private static GjsonValue of(Object value) {
    return new GjsonValue(new JsonPath.Result.Found(value));
  }

  private static GjsonValue get(Object value, List<Object> arguments) {
    if (arguments.size() != 1 || !(arguments.getFirst() instanceof String path)) {
      throw new TemplateFailure(".Get takes a path");
    }
    try {
      return new GjsonValue(JsonPath.compile(path).read(value));
    } catch (InvalidExpression | ExpressionFailure e) {
      throw new TemplateFailure(".Get: " + e.getMessage());
    }
  }

  private static Object array(Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list -> {
        var items = new ArrayList<Object>();
        list.forEach(item -> items.add(of(item)));
        yield items;
      }
      default -> List.of(of(value));
    };
  }

  private static Object map(Object value) {
    var fields = new TreeMap<String, Object>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, item) -> fields.put((String) key, of(item)));
    }
    return fields;
  }

  /** As gjson decodes JSON: every number is a fraction. */
  static Object go(Object value) {
    return switch (value) {
      case Number number -> number.doubleValue();
      case Map<?, ?> map -> {
        var copy = new TreeMap<String, Object>();
        map.forEach((key, item) -> copy.put((String) key, go(item)));
        yield copy;
      }
      case List<?> list -> {
        var copy = new ArrayList<Object>();
        list.forEach(item -> copy.add(go(item)));
        yield copy;
      }
      case null, default -> value;
    };
  }

  private static boolean bool(Object value) {
    return switch (value) {
      case Boolean flag -> flag;
      case Number number -> number.doubleValue() != 0;
      case String text -> List.of("1", "t", "true").contains(text.toLowerCase(Locale.ROOT));
      case null, default -> false;
    };
  }

  private static double number(Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case Number number -> number.doubleValue();
      case String text -> Numbers.parse(text);
      case null, default -> 0;
    };
  }

  private static String type(Object value) {
    return switch (value) {
      case null -> "Null";
      case Boolean flag -> flag ? "True" : "False";
      case Number _ -> "Number";
      case String _ -> "String";
      default -> "JSON";
    };
  }

  @Override
  public String toString() {
    return "GjsonValue";
  }
}
