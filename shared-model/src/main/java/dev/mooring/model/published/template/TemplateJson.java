package dev.mooring.model.published.template;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** JSON as Go's encoding/json writes it, with sorted fields. */
final class TemplateJson {
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

  static String raw(Object value) {
    return new TemplateJson(Style.RAW).write(value, 0).toString();
  }

  static String escaped(Object value) {
    return new TemplateJson(Style.ESCAPED).write(value, 0).toString();
  }

  static String pretty(Object value) {
    return new TemplateJson(Style.PRETTY).write(value, 0).toString();
  }

  /** As Go decodes into an interface: numbers are fractions. Throws {@link MalformedJson}. */
  static Object read(String text) {
    return GjsonValue.go(KubeJson.read(text));
  }

  private Bounded write(Object value, int depth) {
    return switch (value) {
      case null -> out.append("null");
      case Missing _ -> out.append("null");
      case Number number -> out.append(Numbers.json(number));
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
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char here = text.charAt(i);
      switch (here) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        case '\b' -> quoted.append("\\b");
        case '\f' -> quoted.append("\\f");
        case '<', '>', '&' ->
            quoted.append(style == Style.RAW ? here : "\\u%04x".formatted((int) here));
        default -> {
          if (here < ' ' || here == 0x2028 || here == 0x2029) {
            quoted.append("\\u%04x".formatted((int) here));
          } else {
            quoted.append(here);
          }
        }
      }
    }
    out.append(quoted.append('"').toString());
  }
}
