package dev.mooring.model.published.template;

import java.util.ArrayList;
import java.util.List;

/** Cuts one action, the text between the braces, into tokens. */
final class Lexer {
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
      char here = text.charAt(at);
      if (Character.isWhitespace(here)) {
        at++;
      } else if (here == '|') {
        at++;
        tokens.add(new Token.Pipe());
      } else if (here == '(') {
        at++;
        tokens.add(new Token.Open());
      } else if (here == ')') {
        at++;
        tokens.add(new Token.Close());
      } else if (here == '"') {
        tokens.add(new Token.Literal(quoted()));
      } else if (here == '`') {
        tokens.add(new Token.Literal(raw()));
      } else if (here == '.' && !startsNumber(at + 1)) {
        tokens.add(field());
      } else if (Character.isDigit(here) || here == '-' && startsNumber(at + 1)) {
        tokens.add(number());
      } else if (isName(here)) {
        tokens.add(word());
      } else {
        throw new InvalidTemplate(
            "unexpected \""
                + here
                + "\" in {{"
                + text
                + "}}: variables and other control structures"
                + " are not supported");
      }
    }
    return tokens;
  }

  private boolean startsNumber(int index) {
    return index < text.length() && Character.isDigit(text.charAt(index));
  }

  private static boolean isName(char here) {
    return Character.isLetterOrDigit(here) || here == '_';
  }

  private String name() {
    int start = at;
    while (at < text.length() && isName(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private Token field() {
    var path = new ArrayList<String>();
    while (at < text.length() && text.charAt(at) == '.') {
      at++;
      String name = name();
      if (name.isEmpty()) {
        if (path.isEmpty()) {
          return new Token.Field(path);
        }
        throw new InvalidTemplate("a field name is missing after \".\" in {{" + text + "}}");
      }
      path.add(name);
    }
    return new Token.Field(path);
  }

  private Token word() {
    String name = name();
    return switch (name) {
      case "true" -> new Token.Literal(true);
      case "false" -> new Token.Literal(false);
      default -> new Token.Word(name);
    };
  }

  private Token number() {
    int start = at++;
    while (at < text.length() && (isName(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
    String number = text.substring(start, at);
    try {
      return new Token.Literal(
          number.contains(".") ? (Object) Double.valueOf(number) : Long.valueOf(number));
    } catch (NumberFormatException e) {
      throw new InvalidTemplate("bad number \"" + number + "\" in {{" + text + "}}");
    }
  }

  private String raw() {
    int end = text.indexOf('`', at + 1);
    if (end < 0) {
      throw new InvalidTemplate("unterminated ` in {{" + text + "}}");
    }
    String value = text.substring(at + 1, end);
    at = end + 1;
    return value;
  }

  private String quoted() {
    var value = new StringBuilder();
    for (int i = at + 1; i < text.length(); i++) {
      char here = text.charAt(i);
      if (here == '"') {
        at = i + 1;
        return value.toString();
      }
      if (here == '\\' && i + 1 < text.length()) {
        i++;
        value.append(
            switch (text.charAt(i)) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              case '"' -> '"';
              case '\\' -> '\\';
              default ->
                  throw new InvalidTemplate(
                      "unknown escape \\" + text.charAt(i) + " in {{" + text + "}}");
            });
      } else {
        value.append(here);
      }
    }
    throw new InvalidTemplate("unterminated \" in {{" + text + "}}");
  }
}
