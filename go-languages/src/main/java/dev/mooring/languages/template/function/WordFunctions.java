package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.template.text.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/** sprig's functions on words, letters and their case. */
final class WordFunctions {
  private WordFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("title", a -> title(a.text(0)), TEXT)
        .add("untitle", a -> untitle(a.text(0)), TEXT)
        .add("nospace", a -> kept(a.text(0), code -> !Texts.isSpace(code)), TEXT)
        .add("initials", a -> initials(a.text(0)), TEXT)
        .add("swapcase", a -> swapped(a.text(0)), TEXT)
        .add("camelcase", a -> pascal(a.text(0)), TEXT)
        .add("snakecase", a -> joined(words(a.text(0)), '_'), TEXT)
        .add("kebabcase", a -> joined(words(a.text(0)), '-'), TEXT);
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

  /** A run of like characters. */
  private record Word(Kind kind, String text) {
    /** Whether a connector may stand before it. */
    boolean isOfLetters() {
      return kind != Kind.CONNECTOR && kind != Kind.PUNCTUATION;
    }

    boolean isLowerOrNumber() {
      return kind == Kind.LOWER || kind == Kind.NUMBER;
    }
  }

  private enum Kind {
    NUMBER,
    /** Begins with a capital. */
    UPPER,
    LOWER,
    CONNECTOR,
    PUNCTUATION,
    OTHER
  }

  private static List<Word> words(String text) {
    int[] codes = text.codePoints().toArray();
    var words = new ArrayList<Word>();
    int start = 0;
    while (start < codes.length) {
      Kind kind = kind(codes[start]);
      int end = kind == Kind.UPPER ? upperEnd(codes, start) : runEnd(codes, start, kind);
      words.add(new Word(kind, new String(codes, start, end - start)));
      start = end;
    }
    return words;
  }

  private static int runEnd(int[] codes, int start, Kind kind) {
    int end = start + 1;
    while (end < codes.length && kind(codes[end]) == kind) {
      end++;
    }
    return end;
  }

  /** Capitals up to the last one before a small letter, or one capital and small letters. */
  private static int upperEnd(int[] codes, int start) {
    int end = runEnd(codes, start, Kind.UPPER);
    boolean small = end < codes.length && kind(codes[end]) == Kind.LOWER;
    if (end - start > 1) {
      return small ? end - 1 : end;
    }
    return small ? runEnd(codes, end, Kind.LOWER) : end;
  }

  private static Kind kind(int code) {
    if (code == '-' || code == '_' || Texts.isSpace(code)) {
      return Kind.CONNECTOR;
    }
    return switch (Character.getType(code)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
          Kind.PUNCTUATION;
      case Character.UPPERCASE_LETTER -> Kind.UPPER;
      case Character.LOWERCASE_LETTER,
          Character.TITLECASE_LETTER,
          Character.MODIFIER_LETTER,
          Character.OTHER_LETTER ->
          isIdeograph(code) ? Kind.OTHER : Kind.LOWER;
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER ->
          Kind.NUMBER;
      default -> Kind.OTHER;
    };
  }

  /** The ranges that are no alphabet there. */
  private static boolean isIdeograph(int code) {
    return code >= 0x4e00 && code <= 0x9fcc
        || code >= 0x3400 && code <= 0x4d85
        || code >= 0x20000 && code <= 0x2b81d;
  }

  private static String joined(List<Word> words, char connector) {
    var out = new StringBuilder();
    int at = 0;
    while (at < words.size() - 1) {
      Word word = words.get(at++);
      append(out, word, connector);
      switch (word.kind()) {
        case CONNECTOR, PUNCTUATION -> {}
        case NUMBER -> at = number(words, at, connector, out);
        case UPPER, LOWER, OTHER -> {
          Word next = words.get(at);
          if (next.kind() != Kind.NUMBER) {
            connect(words, at, connector, out);
          } else if (at + 1 < words.size()) {
            // A number belongs to the word before it, unless small letters follow.
            at++;
            if (words.get(at).kind() == Kind.LOWER) {
              out.append(connector);
              append(out, next, connector);
              at = number(words, at, connector, out);
            } else {
              append(out, next, connector);
              connect(words, at, connector, out);
            }
          }
        }
      }
    }
    if (at < words.size()) {
      append(out, words.get(at), connector);
    }
    return out.toString();
  }

  /** Small letters and digits go with the number before them. */
  private static int number(List<Word> words, int from, char connector, StringBuilder out) {
    int at = from;
    while (at < words.size() && words.get(at).isLowerOrNumber()) {
      append(out, words.get(at++), connector);
    }
    connect(words, at, connector, out);
    return at;
  }

  private static void connect(List<Word> words, int at, char connector, StringBuilder out) {
    if (at < words.size() && words.get(at).isOfLetters()) {
      out.append(connector);
    }
  }

  private static void append(StringBuilder out, Word word, char connector) {
    switch (word.kind()) {
      case CONNECTOR ->
          out.append(String.valueOf(connector).repeat((int) word.text().codePoints().count()));
      case UPPER -> out.append(WordFunctions.mapped(word.text(), Character::toLowerCase));
      case NUMBER, LOWER, PUNCTUATION, OTHER -> out.append(word.text());
    }
  }
}
