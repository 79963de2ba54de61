package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.WHOLE;

import dev.mooring.languages.template.text.Bytes;
import dev.mooring.languages.template.value.Bounded;

/** sprig's functions that make texts fit a width, which counts bytes. */
final class WrapFunctions {
  private static final String MARK = "...";

  private WrapFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("wrap", a -> wrapped(a.text(1), a.whole(0), "\n", LongWords.KEEP), WHOLE, TEXT)
        .add(
            "wrapWith",
            a -> wrapped(a.text(2), a.whole(0), a.text(1), LongWords.CUT),
            WHOLE,
            TEXT,
            TEXT)
        .add("abbrev", a -> abbreviated(a.text(1), 0, a.whole(0)), WHOLE, TEXT)
        .add("abbrevboth", WrapFunctions::abbreviatedOnBothSides, WHOLE, WHOLE, TEXT);
  }

  /** What becomes of a word that does not fit a line. */
  private enum LongWords {
    KEEP,
    CUT
  }

  private static String wrapped(String source, long length, String separator, LongWords longWords) {
    String text = Bytes.of(source);
    String lineBreak = Bytes.of(separator.isEmpty() ? "\n" : separator);
    long width = Math.max(1, length);
    var out = new Bounded();
    int at = 0;
    while (text.length() - at > width) {
      if (text.charAt(at) == ' ') {
        at++;
        continue;
      }
      int limit = (int) (at + width);
      int space = text.lastIndexOf(' ', limit);
      int end = space;
      int next = space + 1;
      if (space < at) {
        end = longWords == LongWords.CUT ? limit : text.indexOf(' ', limit);
        next = longWords == LongWords.CUT ? limit : end + 1;
      }
      if (end < 0) {
        break;
      }
      out.append(text.substring(at, end)).append(lineBreak);
      at = next;
    }
    return Bytes.text(out.append(text.substring(at)).toString());
  }

  private static Object abbreviatedOnBothSides(Arguments a) {
    long left = a.whole(0);
    long width = a.whole(1);
    return left > 0 && width < 7 ? a.text(2) : abbreviated(a.text(2), left, width);
  }

  private static String abbreviated(String text, long from, long width) {
    return width < 4 ? text : Bytes.text(cut(Bytes.of(text), from, width));
  }

  /** Cut behind, and before if more than a mark's length stands there. */
  private static String cut(String text, long from, long width) {
    int size = text.length();
    if (size <= width) {
      return text;
    }
    int room = (int) width - MARK.length();
    int start = (int) Math.min(Math.min(from, size), size - room);
    if (start <= 4) {
      return text.substring(0, room) + MARK;
    }
    return MARK
        + (start + room < size ? cut(text.substring(start), 0, room) : text.substring(size - room));
  }
}
