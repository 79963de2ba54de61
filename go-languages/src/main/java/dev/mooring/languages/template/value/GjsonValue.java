package dev.mooring.languages.template.value;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.gjson.GoJson;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.gjson.PathValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code .Value} of a mutation's template: what is at a path, with the methods of gjson's Result
 * ({@code .Value.String}, {@code .Value.Exists}, {@code .Value.Get "path"}, ...). Where a function
 * wants a string, its text is taken.
 */
public record GjsonValue(JsonPath.Result result) implements WithMembers {
  /** Its text; empty if nothing is there. */
  public String text() {
    return JsonPath.text(result);
  }

  private Object value() {
    return switch (result) {
      case JsonPath.Result.Missing() -> null;
      case JsonPath.Result.Found found -> found.value();
    };
  }

  @Override
  public Object member(String name, List<Object> arguments) {
    if (!name.equals("Get") && !arguments.isEmpty()) {
      throw new TemplateFailure("." + name + " takes no arguments");
    }
    Object value = value();
    return switch (name) {
      case "String" -> text();
      case "Exists" -> result instanceof JsonPath.Result.Found;
      case "Value" -> go(value);
      case "Bool" -> PathValues.flag(value);
      case "Int", "Uint" -> PathValues.whole(value);
      case "Float" -> PathValues.fraction(value);
      case "Num" -> value instanceof Number ? PathValues.fraction(value) : 0d;
      case "Str" -> value instanceof String text ? text : "";
      case "Raw" -> raw(value);
      case "Time" -> GoDates.parse(GoDates.RFC3339, text()).orElse(GoDates.ZERO);
      case "Type" -> type(value);
      case "IsArray" -> value instanceof List<?>;
      case "IsObject" -> value instanceof Map<?, ?>;
      case "IsBool" -> value instanceof Boolean;
      case "Array" -> array(value);
      case "Map" -> map(value);
      case "Get" -> get(arguments);
      default -> throw new TemplateFailure("can't evaluate field " + name + " of .Value");
    };
  }

  private String raw(Object value) {
    return switch (value) {
      case null -> result instanceof JsonPath.Result.Found ? "null" : "";
      case Map<?, ?> _, List<?> _ -> text();
      default -> TemplateJson.escaped(value);
    };
  }

  /** Something in the value. What a path has made keeps the order of its fields. */
  private GjsonValue part(Object value) {
    boolean made = result instanceof JsonPath.Result.Found found && found.json().isPresent();
    return new GjsonValue(
        new JsonPath.Result.Found(
            value,
            made && (value instanceof Map<?, ?> || value instanceof List<?>)
                ? Optional.of(GoJson.write(value))
                : Optional.empty()));
  }

  private GjsonValue get(List<Object> arguments) {
    if (arguments.size() != 1 || !(arguments.getFirst() instanceof String path)) {
      throw new TemplateFailure(".Get takes a path");
    }
    if (path.isEmpty()) {
      return new GjsonValue(new JsonPath.Result.Missing());
    }
    try {
      return new GjsonValue(JsonPath.compile(path).within(result));
    } catch (InvalidExpression | ExpressionFailure e) {
      throw new TemplateFailure(".Get: " + e.getMessage());
    }
  }

  private Object array(Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list -> {
        var items = new ArrayList<Object>();
        list.forEach(item -> items.add(part(item)));
        yield items;
      }
      default -> List.of(part(value));
    };
  }

  private Object map(Object value) {
    var fields = new TreeMap<String, Object>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, item) -> fields.put((String) key, part(item)));
    }
    return fields;
  }

  /** As gjson decodes JSON: every number is a fraction. */
  static Object go(Object value) {
    return Values.copy(
        value, leaf -> leaf instanceof Number number ? (Object) number.doubleValue() : leaf);
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
