package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.template.syntax.Token.Sign;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.languages.template.text.Texts;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts one action, the text between the braces, into tokens. */
public final class Lexer {
  private final String text;
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  static List<Token> tokens(String action) {
    return new Lexer(action).run();
  }

  private List<Token> run() {
    var tokens = new ArrayList<Token>();
    while (at < text.length()) {
      tokens.add(next());
    }
    return tokens;
  }

  private Token next() {
    char here = text.charAt(at);
    if (isSpace(here)) {
      while (at < text.length() && isSpace(text.charAt(at))) {
        at++;
      }
      return Sign.SPACE;
    }
    if (Texts.isDigit(here)
        || (here == '-' || here == '+' || here == '.') && startsNumber(at + 1)) {
      return endsProperly(number());
    }
    return switch (here) {
      case '|' -> sign(Sign.PIPE, 1);
      case '(' -> sign(Sign.OPEN, 1);
      case ')' -> sign(Sign.CLOSE, 1);
      case ',' -> sign(Sign.COMMA, 1);
      case '=' -> sign(Sign.ASSIGN, 1);
      case ':' -> {
        if (!text.startsWith(":=", at)) {
          throw invalid("expected :=");
        }
        yield sign(Sign.DECLARE, 2);
      }
      case '"' -> endsProperly(new Token.Literal(quoted('"')));
      case '\'' -> endsProperly(new Token.Literal(character()));
      case '`' -> endsProperly(new Token.Literal(raw()));
      case '$' -> {
        at++;
        yield endsProperly(new Token.Variable(name()));
      }
      case '.' -> {
        at++;
        String name = name();
        yield endsProperly(name.isEmpty() ? Sign.DOT : new Token.Field(name));
      }
      default -> {
        String name = name();
        if (name.isEmpty()) {
          throw invalid("unexpected \"" + Character.toString(text.codePointAt(at)) + "\"");
        }
        yield endsProperly(
            switch (name) {
              case "true" -> new Token.Literal(true);
              case "false" -> new Token.Literal(false);
              default -> new Token.Word(name);
            });
      }
    };
  }

  private String take(int end) {
    String taken = text.substring(at, end);
    at = end;
    return taken;
  }

  private Token sign(Sign sign, int length) {
    at += length;
    return sign;
  }

  /** A value must not run into the next one. */
  private Token endsProperly(Token token) {
    if (at < text.length()) {
      char here = text.charAt(at);
      if (!isSpace(here) && "|),:=(.".indexOf(here) < 0) {
        throw invalid("unexpected \"" + here + "\"");
      }
    }
    return token;
  }

  private boolean startsNumber(int index) {
    if (index < text.length() && text.charAt(index) == '.') {
      return index + 1 < text.length() && Texts.isDigit(text.charAt(index + 1));
    }
    return index < text.length() && Texts.isDigit(text.charAt(index));
  }

  static boolean isName(char here) {
    return Character.isLetterOrDigit(here) || here == '_';
  }

  private static boolean isSpace(char here) {
    return here == ' ' || here == '\t' || here == '\r' || here == '\n';
  }

  private String name() {
    int end = at;
    while (end < text.length() && isName(text.charAt(end))) {
      end++;
    }
    return take(end);
  }

  /** As Go writes numbers: decimal, hexadecimal, octal, binary, with underscores, exponents. */
  private Token number() {
    int start = at;
    int end = start + 1;
    while (end < text.length()) {
      char here = text.charAt(end);
      char before = text.charAt(end - 1);
      boolean exponent =
          (here == '+' || here == '-') && (before == 'e' || before == 'E') && end > start + 1;
      if (!isName(here) && here != '.' && !exponent) {
        break;
      }
      end++;
    }
    String literal = take(end);
    try {
      return new Token.Literal(numberOf(literal));
    } catch (NumberFormatException e) {
      throw new InvalidTemplate("bad number syntax: \"" + literal + "\"");
    }
  }

  private static Object numberOf(String literal) {
    String sign = literal.startsWith("-") ? "-" : "";
    String digits =
        (literal.startsWith("-") || literal.startsWith("+") ? literal.substring(1) : literal)
            .toLowerCase(Locale.ROOT);
    String plain = digits.replace("_", "");
    if (digits.endsWith("_") || digits.contains("__") || plain.endsWith("i") && !hex(plain)) {
      throw new NumberFormatException();
    }
    if (hex(plain)) {
      return whole(sign + plain.substring(2), 16);
    }
    if (plain.startsWith("0o")) {
      return whole(sign + plain.substring(2), 8);
    }
    if (plain.startsWith("0b")) {
      return whole(sign + plain.substring(2), 2);
    }
    if (plain.contains(".") || plain.contains("e")) {
      if (!plain.matches("[0-9]*\\.?[0-9]*(e[+-]?[0-9]{1,3})?")) {
        throw new NumberFormatException();
      }
      return Double.valueOf(sign + plain);
    }
    return plain.length() > 1 && plain.startsWith("0")
        ? whole(sign + plain, 8)
        : whole(sign + plain, 10);
  }

  private static boolean hex(String plain) {
    return plain.startsWith("0x");
  }

  private static Object whole(String digits, int radix) {
    BigInteger number = new BigInteger(digits, radix);
    if (number.bitLength() >= Long.SIZE) {
      throw new NumberFormatException();
    }
    return number.longValue();
  }

  private String raw() {
    int end = text.indexOf('`', at + 1);
    if (end < 0) {
      throw invalid("unterminated `");
    }
    String value = text.substring(at + 1, end);
    at = end + 1;
    return value;
  }

  private Long character() {
    String value = quoted('\'');
    if (value.codePointCount(0, value.length()) != 1) {
      throw invalid("a character constant has one character");
    }
    return (long) value.codePointAt(0);
  }

  private String quoted(char quote) {
    for (int i = at + 1; i < text.length(); i++) {
      char here = text.charAt(i);
      if (here == '\n') {
        break;
      }
      if (here == '\\') {
        i++;
      } else if (here == quote) {
        String body = text.substring(at + 1, i);
        at = i + 1;
        return GoQuotes.unquote(body, quote);
      }
    }
    throw invalid("unterminated " + quote);
  }

  private InvalidTemplate invalid(String what) {
    return new InvalidTemplate(what + " in {{" + text + "}}");
  }
}
