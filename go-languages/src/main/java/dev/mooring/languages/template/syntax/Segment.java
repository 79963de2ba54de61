package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.template.text.Texts;
import java.util.ArrayList;
import java.util.List;

/** Text or an action, with trim markers applied and comments dropped. */
sealed interface Segment {
  record Text(String text) implements Segment {}

  record Action(String source) implements Segment {}

  /** Throws {@link InvalidTemplate} for braces that are never closed. */
  static List<Segment> split(String source) {
    var segments = new ArrayList<Segment>();
    int at = 0;
    boolean trimNext = false;
    while (at < source.length()) {
      int open = source.indexOf("{{", at);
      String text = open < 0 ? source.substring(at) : source.substring(at, open);
      if (trimNext) {
        text = Texts.trimLeft(text);
      }
      if (open < 0) {
        segments.add(new Text(text));
        return segments;
      }
      int start = open + 2;
      if (source.startsWith("-", start) && space(source, start + 1)) {
        text = Texts.trimRight(text);
        start += 2;
      }
      if (!text.isEmpty()) {
        segments.add(new Text(text));
      }
      int body = start;
      int close = source.startsWith("/*", start) ? comment(source, start) : closing(source, start);
      int end = close;
      trimNext =
          source.charAt(close - 1) == '-' && space(source, close - 2) && close - 2 >= body - 1;
      if (trimNext) {
        end = Math.max(body, close - 2);
      }
      if (!source.startsWith("/*", body)) {
        segments.add(new Action(source.substring(body, end)));
      }
      at = close + 2;
    }
    return segments;
  }

  private static boolean space(String source, int index) {
    return index < source.length() && " \t\r\n".indexOf(source.charAt(index)) >= 0;
  }

  private static int comment(String source, int start) {
    int end = source.indexOf("*/", start + 2);
    if (end < 0) {
      throw new InvalidTemplate("unclosed comment");
    }
    if (source.startsWith("}}", end + 2)) {
      return end + 2;
    }
    if (space(source, end + 2) && source.startsWith("-}}", end + 3)) {
      return end + 4;
    }
    throw new InvalidTemplate("a comment must fill its braces");
  }

  /** Index of the braces that close the action, none of which count inside a string. */
  private static int closing(String source, int from) {
    char quote = 0;
    for (int i = from; i < source.length(); i++) {
      char here = source.charAt(i);
      if (quote != 0) {
        if (here == '\\' && quote != '`') {
          i++;
        } else if (here == quote) {
          quote = 0;
        }
      } else if (here == '"' || here == '`' || here == '\'') {
        quote = here;
      } else if (source.startsWith("}}", i)) {
        return i;
      }
    }
    throw new InvalidTemplate("\"{{\" is never closed");
  }
}
