package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.template.text.Texts;
import java.util.ArrayList;
import java.util.List;

/** sprig's {@code snakecase} and {@code kebabcase}. */
final class CaseFunctions {
  private CaseFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("snakecase", a -> joined(words(a.text(0)), '_'), TEXT)
        .add("kebabcase", a -> joined(words(a.text(0)), '-'), TEXT);
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
