package dev.mooring.languages.template.value;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.gjson.GoJson;
import dev.mooring.languages.gjson.JsonReader;
import dev.mooring.languages.template.GoTemplate;

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
    return Values.copy(
        value,
        leaf ->
            switch (leaf) {
              case null -> null;
              case Missing _ -> null;
              case Number _, Boolean _ -> leaf;
              default -> Values.print(leaf);
            });
  }
}
