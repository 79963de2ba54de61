package dev.mooring.languages.template.value;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.gjson.GoJson;
import dev.mooring.languages.gjson.JsonReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JSON as Go's encoding/json writes it, with sorted fields. */
public final class TemplateJson {
  private final Bounded out = new Bounded();
  private final Style style;

  private TemplateJson(Style style) {
    this.style = style;
  }

  private enum Style {
    RAW,
    /** The signs of HTML as escapes. */
    ESCAPED,
    /** Escaped, with two spaces per level. */
    PRETTY
  }

  public static String raw(Object value) {
    return new TemplateJson(Style.RAW).write(value, 0).toString();
  }

  public static String escaped(Object value) {
    return new TemplateJson(Style.ESCAPED).write(value, 0).toString();
  }

  public static String pretty(Object value) {
    return new TemplateJson(Style.PRETTY).write(value, 0).toString();
  }

  /** As Go decodes into an interface: numbers are fractions. Throws {@link ExpressionFailure}. */
  public static Object read(String text) {
    return GjsonValue.go(JsonReader.read(text));
  }

  private Bounded write(Object value, int depth) {
    return switch (value) {
      case null -> out.append("null");
      case Missing _ -> out.append("null");
      case Number number -> out.append(GoJson.number(number));
      case Boolean flag -> out.append(flag.toString());
      case List<?> list -> {
        out.append("[");
        String separator = "";
        for (Object item : list) {
          line(separator, depth + 1);
          write(item, depth + 1);
          separator = ",";
        }
        close(separator, depth);
        yield out.append("]");
      }
      case Map<?, ?> map -> {
        out.append("{");
        String separator = "";
        for (Map.Entry<?, ?> field : new TreeMap<Object, Object>(map).entrySet()) {
          line(separator, depth + 1);
          string((String) field.getKey());
          out.append(style == Style.PRETTY ? ": " : ":");
          write(field.getValue(), depth + 1);
          separator = ",";
        }
        close(separator, depth);
        yield out.append("}");
      }
      default -> {
        string(Values.print(value));
        yield out;
      }
    };
  }

  private void line(String separator, int depth) {
    out.append(separator);
    if (style == Style.PRETTY) {
      out.append("\n").append("  ".repeat(depth));
    }
  }

  private void close(String separator, int depth) {
    if (!separator.isEmpty()) {
      line("", depth);
    }
  }

  private void string(String text) {
    out.append(GoJson.quote(text, style == Style.RAW ? GoJson.Html.AS_IT_IS : GoJson.Html.ESCAPED));
  }
}
