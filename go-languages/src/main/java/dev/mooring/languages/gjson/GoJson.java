package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.GoNumbers;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** JSON text as Go's encoding/json writes it: compact, with HTML's signs as escapes. */
public final class GoJson {
  /** Longer texts are mistakes: no object could hold them. */
  public static final int LENGTH_MAX = 4 * 1024 * 1024;

  private GoJson() {}

  /** A tree in the order of its maps; throws {@link ExpressionFailure} if it gets too long. */
  public static String write(Object tree) {
    return write(tree, Html.ESCAPED, LENGTH_MAX);
  }

  /** As {@link #write(Object)}; no value is begun after {@code most} characters. */
  public static String write(Object tree, Html html, int most) {
    return write(tree, html, most, new StringBuilder(), "").toString();
  }

  /** As {@link #write(Object, Html, int)}, with a line and two spaces per level for every item. */
  public static String writeLines(Object tree, int most) {
    return write(tree, Html.ESCAPED, most, new StringBuilder(), "\n").toString();
  }

  /**
   * @param line the break and what follows it before this value's line; empty for no lines
   */
  private static StringBuilder write(
      Object value, Html html, int most, StringBuilder out, String line) {
    requireLength(out.length(), most);
    String inner = line.isEmpty() ? "" : line + "  ";
    return switch (value) {
      case null -> out.append("null");
      case String text -> out.append(quote(text, html));
      case Number number -> out.append(number(number));
      case Boolean flag -> out.append(flag);
      case Map<?, ?> map -> {
        String separator = "{";
        for (Map.Entry<?, ?> field : map.entrySet()) {
          out.append(separator).append(inner).append(quote((String) field.getKey(), html));
          write(field.getValue(), html, most, out.append(line.isEmpty() ? ":" : ": "), inner);
          separator = ",";
        }
        yield out.append(map.isEmpty() ? "{" : line).append('}');
      }
      case List<?> list -> {
        String separator = "[";
        for (Object item : list) {
          write(item, html, most, out.append(separator).append(inner), inner);
          separator = ",";
        }
        yield out.append(list.isEmpty() ? "[" : line).append(']');
      }
      default ->
          throw new IllegalArgumentException("not a JSON value: " + value.getClass().getName());
    };
  }

  static void requireLength(long length) {
    requireLength(length, LENGTH_MAX);
  }

  private static void requireLength(long length, int most) {
    if (length > most) {
      throw new ExpressionFailure("the result is longer than " + most + " characters");
    }
  }

  /** As Go writes a number of a document. */
  public static String number(Number number) {
    double value = number.doubleValue();
    boolean far = value != 0 && (Math.abs(value) < 1e-6 || Math.abs(value) >= 1e21);
    if (!(number instanceof Double) || !far) {
      return GoNumbers.plain(number);
    }
    BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    String text = GoNumbers.scientific(decimal);
    return text.replaceFirst("e-0([0-9])$", "e-$1");
  }

  /** A string with its quotes and escapes. */
  public static String quote(String text) {
    return quote(text, Html.ESCAPED);
  }

  /** What becomes of {@code <}, {@code >} and {@code &}. */
  public enum Html {
    ESCAPED,
    AS_IT_IS
  }

  /** As {@link #quote(String)}. */
  public static String quote(String text, Html html) {
    var quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char here = text.charAt(i);
      switch (here) {
        case '"', '\\' -> quoted.append('\\').append(here);
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        case '\b' -> quoted.append("\\b");
        case '\f' -> quoted.append("\\f");
        default -> {
          boolean escaped = html == Html.ESCAPED && "<>&".indexOf(here) >= 0;
          if (escaped || here < ' ' || here == 0x2028 || here == 0x2029) {
            quoted.append("\\u%04x".formatted((int) here));
          } else {
            quoted.append(here);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }

  /** Without the space between the signs of a JSON text. */
  static String compact(String json) {
    var out = new StringBuilder(json.length());
    boolean inside = false;
    for (int i = 0; i < json.length(); i++) {
      char here = json.charAt(i);
      if (inside && here == '\\' && i + 1 < json.length()) {
        out.append(here).append(json.charAt(++i));
      } else if (inside || here > ' ') {
        inside ^= here == '"';
        out.append(here);
      }
    }
    return out.toString();
  }
}
