package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.ANY;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.WHOLE;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.languages.template.text.Bytes;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.languages.template.text.Texts;
import dev.mooring.languages.template.value.Bounded;
import dev.mooring.languages.template.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** sprig's functions on strings; widths count bytes. */
final class TextFunctions {
  private static final String MARK = "...";

  private TextFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("upper", a -> WordFunctions.mapped(a.text(0), Character::toUpperCase), TEXT)
        .add("lower", a -> WordFunctions.mapped(a.text(0), Character::toLowerCase), TEXT)
        .add("trim", a -> Texts.trim(a.text(0)), TEXT)
        .add("trimAll trimall", a -> trimAll(a.text(0), a.text(1)), TEXT, TEXT)
        .add("trimPrefix", a -> trimPrefix(a.text(0), a.text(1)), TEXT, TEXT)
        .add("trimSuffix", a -> trimSuffix(a.text(0), a.text(1)), TEXT, TEXT)
        .add("replace", TextFunctions::replace, TEXT, TEXT, TEXT)
        .add("repeat", TextFunctions::repeat, WHOLE, TEXT)
        .add("trunc", a -> trunc(a.whole(0), a.text(1)), WHOLE, TEXT)
        .add("substr", TextFunctions::substr, WHOLE, WHOLE, TEXT)
        .add("contains", a -> a.text(1).contains(a.text(0)), TEXT, TEXT)
        .add("hasPrefix", a -> a.text(1).startsWith(a.text(0)), TEXT, TEXT)
        .add("hasSuffix", a -> a.text(1).endsWith(a.text(0)), TEXT, TEXT)
        .any("quote", a -> joined(a, GoQuotes::quote), ANY)
        .any("squote", a -> joined(a, text -> "'" + text + "'"), ANY)
        .any("cat", a -> joined(a, text -> text), ANY)
        .add("indent", a -> indent(a.whole(0), a.text(1)), WHOLE, TEXT)
        .add("nindent", a -> "\n" + indent(a.whole(0), a.text(1)), WHOLE, TEXT)
        .add("plural", a -> a.whole(2) == 1 ? a.text(0) : a.text(1), TEXT, TEXT, WHOLE)
        .add("toString", a -> Values.print(a.any(0)), ANY)
        .make("toStrings", a -> strings(a.any(0)), ANY)
        .add("join", a -> String.join(a.text(0), strings(a.any(1))), TEXT, ANY)
        .make("split", a -> numbered(split(a.text(0), a.text(1), -1)), TEXT, TEXT)
        .make("splitn", a -> numbered(split(a.text(0), a.text(2), a.whole(1))), TEXT, WHOLE, TEXT)
        .make("splitList", a -> split(a.text(0), a.text(1), -1), TEXT, TEXT)
        .add("wrap", a -> wrapped(a.text(1), a.whole(0), "\n", LongWords.KEEP), WHOLE, TEXT)
        .add(
            "wrapWith",
            a -> wrapped(a.text(2), a.whole(0), a.text(1), LongWords.CUT),
            WHOLE,
            TEXT,
            TEXT)
        .add("abbrev", a -> abbreviated(a.text(1), 0, a.whole(0)), WHOLE, TEXT)
        .add("abbrevboth", TextFunctions::abbreviatedOnBothSides, WHOLE, WHOLE, TEXT);
  }

  /** As sprig makes strings of a list; what is no list is one string. */
  static List<String> strings(Object value) {
    return switch (value) {
      case null -> List.of();
      case List<?> list ->
          list.stream().filter(Objects::nonNull).map(Values::print).collect(Collectors.toList());
      default -> List.of(Values.print(value));
    };
  }

  private static String trimAll(String cutset, String text) {
    int start = 0;
    int end = text.length();
    while (start < end && cutset.indexOf(text.codePointAt(start)) >= 0) {
      start += Character.charCount(text.codePointAt(start));
    }
    while (end > start && cutset.indexOf(text.codePointBefore(end)) >= 0) {
      end -= Character.charCount(text.codePointBefore(end));
    }
    return text.substring(start, end);
  }

  private static String trimPrefix(String prefix, String text) {
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  private static String trimSuffix(String suffix, String text) {
    return text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
  }

  private static String replace(Arguments a) {
    String text = a.text(2);
    bound(a, (text.length() + 1L) * Math.max(1, a.text(1).length()));
    return text.replace(a.text(0), a.text(1));
  }

  private static String repeat(Arguments a) {
    if (a.whole(0) < 0) {
      throw a.failure("negative repeat count");
    }
    bound(
        a,
        Math.multiplyHigh(a.whole(0), 1L + a.text(1).length()) > 0
            ? Long.MAX_VALUE
            : a.whole(0) * a.text(1).length());
    return a.text(1).isEmpty() ? "" : a.text(1).repeat((int) a.whole(0));
  }

  /** Before memory is taken; generous, since the exact length is checked afterwards. */
  private static void bound(Arguments a, long length) {
    if (length < 0 || length > 16L * GoTemplate.OUTPUT_MAX) {
      throw a.failure("the text gets too long");
    }
  }

  /** A negative length counts from the end. */
  private static String trunc(long length, String text) {
    int size = Texts.length(text);
    if (length < 0 && size + length > 0) {
      return Texts.cut(text, size + length, size);
    }
    return length >= 0 && size > length ? Texts.cut(text, 0, length) : text;
  }

  private static String substr(Arguments a) {
    String text = a.text(2);
    int size = Texts.length(text);
    if (a.whole(0) < 0) {
      return Texts.cut(text, 0, a.whole(1));
    }
    return Texts.cut(text, a.whole(0), a.whole(1) < 0 || a.whole(1) > size ? size : a.whole(1));
  }

  private static String joined(Arguments a, UnaryOperator<String> change) {
    return a.all().stream()
        .filter(Objects::nonNull)
        .map(value -> change.apply(Values.print(value)))
        .collect(Collectors.joining(" "));
  }

  private static String indent(long spaces, String text) {
    if (spaces < 0 || spaces > 1024) {
      throw new TemplateFailure("indent: " + spaces + " spaces are out of range");
    }
    String pad = " ".repeat((int) spaces);
    if (text.chars().filter(c -> c == '\n').count() * spaces > GoTemplate.OUTPUT_MAX) {
      throw new TemplateFailure("indent: the text gets too long");
    }
    return pad + text.replace("\n", "\n" + pad);
  }

  /** At most {@code max} pieces; none for 0, all below 0. */
  private static List<String> split(String separator, String text, long max) {
    var pieces = new ArrayList<String>();
    if (max == 0) {
      return pieces;
    }
    int from = 0;
    while (max < 0 || pieces.size() < max - 1) {
      int end =
          separator.isEmpty()
              ? from < text.length() ? text.offsetByCodePoints(from, 1) : -1
              : text.indexOf(separator, from);
      if (end < 0 || separator.isEmpty() && end == text.length()) {
        break;
      }
      pieces.add(text.substring(from, end));
      from = end + separator.length();
    }
    if (!separator.isEmpty() || from < text.length()) {
      pieces.add(text.substring(from));
    }
    return pieces;
  }

  private static Object numbered(List<String> pieces) {
    var map = new TreeMap<String, Object>();
    for (int i = 0; i < pieces.size(); i++) {
      map.put("_" + i, pieces.get(i));
    }
    return map;
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
