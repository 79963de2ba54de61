package dev.mooring.languages.template.text;

import dev.mooring.languages.InvalidTemplate;

/** String literals as Go writes and reads them. */
public final class GoQuotes {
  /** What stands behind a backslash for each of {@link #ESCAPED}. */
  private static final String LETTERS = "abfnrtv\\";

  private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";

  private GoQuotes() {}

  /** What stands between the quotes, with escapes resolved; throws {@link InvalidTemplate}. */
  public static String unquote(String body, char quote) {
    var value = new StringBuilder();
    for (int i = 0; i < body.length(); i++) {
      char here = body.charAt(i);
      if (here != '\\') {
        value.append(here);
        continue;
      }
      char escaped = i + 1 < body.length() ? body.charAt(++i) : ' ';
      switch (escaped) {
        case 'a', 'b', 'f', 'n', 'r', 't', 'v', '\\' ->
            value.append(ESCAPED.charAt(LETTERS.indexOf(escaped)));
        case 'x' -> i = code(body, i + 1, 2, 16, value);
        case 'u' -> i = code(body, i + 1, 4, 16, value);
        case 'U' -> i = code(body, i + 1, 8, 16, value);
        case '0', '1', '2', '3', '4', '5', '6', '7' -> i = code(body, i, 3, 8, value);
        default -> {
          if (escaped != quote) {
            throw new InvalidTemplate("unknown escape \\" + escaped);
          }
          value.append(quote);
        }
      }
    }
    return value.toString();
  }

  private static int code(String body, int start, int digits, int radix, StringBuilder value) {
    try {
      int code = Integer.parseInt(body.substring(start, start + digits), radix);
      value.appendCodePoint(code);
      return start + digits - 1;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new InvalidTemplate("bad escape in \"" + body + "\"");
    }
  }

  /** As {@code %q}. */
  public static String quote(String text) {
    return quote(text, '"', Charset.UNICODE);
  }

  /** Whether a text can stand between backquotes as it is. */
  public static boolean canBackquote(String text) {
    return text.codePoints()
        .allMatch(
            code -> code == '\t' || code >= ' ' && code != '`' && code != 0x7f && code != 0xfeff);
  }

  /** What needs no escape. */
  public enum Charset {
    UNICODE,
    ASCII
  }

  /** As {@code %q} and {@code %+q}. */
  public static String quote(String text, char quote, Charset charset) {
    var quoted = new StringBuilder().append(quote);
    text.codePoints()
        .forEach(code -> {
          int letter = ESCAPED.indexOf(code);
          if (letter >= 0) {
            quoted.append('\\').append(LETTERS.charAt(letter));
          } else if (code == quote) {
            quoted.append('\\').append(quote);
          } else if (code < 0x20 || code == 0x7f) {
            quoted.append("\\x%02x".formatted(code));
          } else if (printable(code) && (charset == Charset.UNICODE || code < 0x7f)) {
            quoted.appendCodePoint(code);
          } else {
            quoted.append((code > 0xffff ? "\\U%08x" : "\\u%04x").formatted(code));
          }
        });
    return quoted.append(quote).toString();
  }

  public static boolean printable(int code) {
    return switch (Character.getType(code)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> code == ' ';
      default -> true;
    };
  }
}
