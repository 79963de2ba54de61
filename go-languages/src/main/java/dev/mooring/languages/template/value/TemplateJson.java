package dev.mooring.languages.template.value;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.gjson.GoJson;
import dev.mooring.languages.gjson.JsonReader;
import dev.mooring.languages.template.GoTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * JSON as Go's encoding/json writes it, with sorted fields. Behind {@link GoTemplate#OUTPUT_MAX}
 * characters no value is begun: then it is an {@link ExpressionFailure}.
 */
public final class TemplateJson {
  private TemplateJson() {}

  public static String raw(Object value) {
    return GoJson.write(tree(value), GoJson.Html.AS_IT_IS, GoTemplate.OUTPUT_MAX);
  }

  /** With the signs of HTML as escapes. */
  public static String escaped(Object value) {
    return GoJson.write(tree(value), GoJson.Html.ESCAPED, GoTemplate.OUTPUT_MAX);
  }

  /** Escaped, with two spaces per level. */
  public static String pretty(Object value) {
    return GoJson.writeLines(tree(value), GoTemplate.OUTPUT_MAX);
  }

  /** As Go decodes into an interface: numbers are fractions. Throws {@link ExpressionFailure}. */
  public static Object read(String text) {
    return GjsonValue.go(JsonReader.read(text));
  }

  private static Object tree(Object value) {
    return switch (value) {
      case null -> null;
      case Missing _ -> null;
      case Number _, Boolean _ -> value;
      case List<?> list -> {
        var items = new ArrayList<Object>(list.size());
        list.forEach(item -> items.add(tree(item)));
        yield items;
      }
      case Map<?, ?> map -> {
        var fields = new TreeMap<String, Object>();
        map.forEach((key, item) -> fields.put((String) key, tree(item)));
        yield fields;
      }
      default -> Values.print(value);
    };
  }
}
