package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.template.text.Texts;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/** sprig's functions on words and letters. */
final class WordFunctions {
  private WordFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("title", a -> title(a.text(0)), TEXT)
        .add("untitle", a -> untitle(a.text(0)), TEXT)
        .add("nospace", a -> kept(a.text(0), code -> !Texts.isSpace(code)), TEXT)
        .add("initials", a -> initials(a.text(0)), TEXT)
        .add("swapcase", a -> swapped(a.text(0)), TEXT)
        .add("camelcase", a -> pascal(a.text(0)), TEXT);
  }

  /** As Go's {@code strings.Title}: the first letter of every word. */
  private static String title(String text) {
    var previous = new int[] {' '};
    return mapped(
        text,
        code -> {
          boolean first = separates(previous[0]);
          previous[0] = code;
          return first ? Character.toTitleCase(code) : code;
        });
  }

  private static boolean separates(int code) {
    if (code <= 0x7f) {
      return !Character.isLetterOrDigit(code) && code != '_';
    }
    return !Character.isLetterOrDigit(code) && Texts.isSpace(code);
  }

  private static String untitle(String text) {
    IntPredicate startsWord = wordStarts();
    return mapped(text, code -> startsWord.test(code) ? Character.toLowerCase(code) : code);
  }

  private static String initials(String text) {
    return kept(text, wordStarts());
  }

  /** Asked of every letter of a text in turn: whether a word starts with it. */
  private static IntPredicate wordStarts() {
    var afterSpace = new boolean[] {true};
    return code -> {
      boolean space = Texts.isSpace(code);
      boolean starts = afterSpace[0] && !space;
      afterSpace[0] = space;
      return starts;
    };
  }

  private static String swapped(String text) {
    IntPredicate startsWord = wordStarts();
    return mapped(
        text,
        code -> {
          boolean first = startsWord.test(code);
          if (Character.isUpperCase(code) || Character.isTitleCase(code)) {
            return Character.toLowerCase(code);
          }
          if (Character.isLowerCase(code)) {
            return first ? Character.toTitleCase(code) : Character.toUpperCase(code);
          }
          return code;
        });
  }

  /** Words that connectors separate, each with a capital; of several connectors one goes. */
  private static String pascal(String text) {
    int[] codes = text.codePoints().toArray();
    var out = new StringBuilder();
    int at = 0;
    while (at < codes.length && isConnector(codes[at])) {
      out.appendCodePoint(codes[at++]);
    }
    if (at > 0 && at == codes.length) {
      // Of connectors alone, the last one comes twice there.
      out.appendCodePoint(codes[at - 1]);
    }
    boolean first = true;
    boolean capitals = false;
    for (; at < codes.length; at++) {
      int code = codes[at];
      if (isConnector(code)) {
        if (at + 1 == codes.length || isConnector(codes[at + 1])) {
          out.appendCodePoint(code);
        }
        first = true;
        continue;
      }
      boolean upper = Character.isUpperCase(code);
      capitals = first ? upper : capitals && upper;
      out.appendCodePoint(
          first ? Character.toUpperCase(code) : capitals ? Character.toLowerCase(code) : code);
      first = false;
    }
    return out.toString();
  }

  private static boolean isConnector(int code) {
    return code == '-' || code == '_' || Texts.isSpace(code);
  }

  /** Letter by letter: Go never makes two of one. */
  static String mapped(String text, IntUnaryOperator change) {
    return text.codePoints()
        .map(change)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String kept(String text, IntPredicate wanted) {
    return text.codePoints()
        .filter(wanted)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
