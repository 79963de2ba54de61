package dev.mooring.model.published.template;

import dev.mooring.model.json.KubeJson;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A compiled template: text with actions {@code {{ pipeline }}}, trim markers and comments, as Go's
 * text/template has them. Fields, strings, numbers, parentheses, pipelines and a fixed list of
 * functions; no variables and no control structures: a template that uses one is refused when it is
 * compiled. A missing map key is an error where a string is needed, and empty for {@code default}.
 * Immutable, thread-safe.
 */
public final class GoTemplate {
  /** Longer templates are mistakes: what is rendered are names. */
  public static final int LENGTH_MAX = 16 * 1024;

  private final String source;
  private final List<Part> parts;

  private sealed interface Part {
    record Text(String text) implements Part {}

    record Action(Expression expression) implements Part {}
  }

  private GoTemplate(String source, List<Part> parts) {
    this.source = source;
    this.parts = List.copyOf(parts);
  }

  /**
   * Throws {@link InvalidTemplate} for bad syntax, unknown functions, and fields that are not among
   * {@code roots}.
   */
  public static GoTemplate compile(String source, Set<String> roots) {
    if (source.length() > LENGTH_MAX) {
      throw new InvalidTemplate("longer than " + LENGTH_MAX + " characters");
    }
    var template = new GoTemplate(source, split(source));
    var used = new LinkedHashSet<String>();
    for (Part part : template.parts) {
      if (part instanceof Part.Action(var expression)) {
        expression.collectRoots(used);
      }
    }
    used.removeAll(roots);
    if (!used.isEmpty()) {
      throw new InvalidTemplate(
          "unknown field ." + used.iterator().next() + "; known are " + sorted(roots));
    }
    return template;
  }

  /** The text with surrounding whitespace removed; throws {@link TemplateFailure}. */
  public String render(Map<String, ?> values) {
    var out = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Part.Text(var text) -> out.append(text);
        case Part.Action(var expression) -> out.append(print(evaluate(expression, values)));
      }
    }
    return out.toString().strip();
  }

  /** The template's own text. */
  @Override
  public String toString() {
    return source;
  }

  private static List<String> sorted(Set<String> roots) {
    return roots.stream().sorted().map(root -> "." + root).toList();
  }

  private static List<Part> split(String source) {
    var parts = new ArrayList<Part>();
    int at = 0;
    boolean trimNext = false;
    while (at < source.length()) {
      int open = source.indexOf("{{", at);
      String text = open < 0 ? source.substring(at) : source.substring(at, open);
      if (trimNext) {
        text = text.stripLeading();
      }
      if (open < 0) {
        parts.add(new Part.Text(text));
        break;
      }
      int close = closing(source, open + 2);
      String action = source.substring(open + 2, close);
      if (action.startsWith("-")
          && action.length() > 1
          && Character.isWhitespace(action.charAt(1))) {
        text = text.stripTrailing();
        action = action.substring(1);
      }
      trimNext =
          action.endsWith("-")
              && action.length() > 1
              && Character.isWhitespace(action.charAt(action.length() - 2));
      if (trimNext) {
        action = action.substring(0, action.length() - 1);
      }
      parts.add(new Part.Text(text));
      String trimmed = action.strip();
      if (!(trimmed.startsWith("/*") && trimmed.endsWith("*/"))) {
        parts.add(new Part.Action(Parser.parse(action)));
      }
      at = close + 2;
    }
    return parts;
  }

  /** Index of the braces that close the action, none of which count inside a string. */
  private static int closing(String source, int from) {
    char quote = 0;
    for (int i = from; i < source.length(); i++) {
      char here = source.charAt(i);
      if (quote != 0) {
        if (here == '\\' && quote == '"') {
          i++;
        } else if (here == quote) {
          quote = 0;
        }
      } else if (here == '"' || here == '`') {
        quote = here;
      } else if (here == '}' && source.startsWith("}}", i)) {
        return i;
      }
    }
    throw new InvalidTemplate("\"{{\" is never closed");
  }

  private static Object evaluate(Expression expression, Map<String, ?> values) {
    return switch (expression) {
      case Expression.Constant(var value) -> value;
      case Expression.Field(var path) -> field(path, values);
      case Expression.Call(var function, var arguments) -> {
        var evaluated = new ArrayList<Object>(arguments.size());
        for (Expression argument : arguments) {
          evaluated.add(evaluate(argument, values));
        }
        yield function.call(evaluated);
      }
    };
  }

  private static Object field(List<String> path, Map<String, ?> values) {
    Object here = values;
    for (String step : path) {
      switch (here) {
        case Map<?, ?> map -> here = map.get(step);
        case null -> throw new TemplateFailure("nothing at ." + String.join(".", path));
        default ->
            throw new TemplateFailure(
                "." + String.join(".", path) + ": \"" + step + "\" of a " + typeName(here));
      }
    }
    return here;
  }

  /** As Go prints it; a missing value is {@code <no value>}. */
  static String print(Object value) {
    return switch (value) {
      case null -> "<no value>";
      case String text -> text;
      default -> KubeJson.writeText(value);
    };
  }

  /** Whether {@code default} replaces it: Go's zero values. */
  static boolean empty(Object value) {
    return switch (value) {
      case null -> true;
      case String text -> text.isEmpty();
      case Boolean flag -> !flag;
      case Long number -> number == 0;
      case Double number -> number == 0;
      case Map<?, ?> map -> map.isEmpty();
      case List<?> list -> list.isEmpty();
      default -> false;
    };
  }

  static String typeName(Object value) {
    return switch (value) {
      case null -> "missing value";
      case String _ -> "string";
      case Boolean _ -> "boolean";
      case Map<?, ?> _ -> "map";
      case List<?> _ -> "list";
      default -> "number";
    };
  }
}
