package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.template.syntax.Node.Binding;
import dev.mooring.languages.template.syntax.Token.Sign;
import java.util.ArrayList;
import java.util.List;

/** A position in the tokens of one action. */
final class TokenReader {
  private final String source;
  private final List<Token> tokens;
  private int at;

  TokenReader(String source) {
    this.source = source;
    this.tokens = Lexer.tokens(source.strip());
  }

  /** Null at the end. */
  Token peek() {
    return at < tokens.size() ? tokens.get(at) : null;
  }

  String peekText() {
    return switch (peek()) {
      case null -> "";
      case Token.Field(var name) -> "." + name;
      case Token.Variable(var name) -> "$" + name;
      case Token.Word(var text) -> text;
      case Token.Literal(var value) -> value.toString();
      case Sign sign -> sign.toString();
    };
  }

  Token next() {
    if (at == tokens.size()) {
      throw invalid("a value is missing");
    }
    return tokens.get(at++);
  }

  boolean takeIf(Sign sign) {
    if (peek() == sign) {
      at++;
      return true;
    }
    return false;
  }

  void skipSpace() {
    while (peek() == Sign.SPACE) {
      at++;
    }
  }

  void expectEnd() {
    skipSpace();
    if (peek() != null) {
      throw invalid("unexpected \"" + peekText() + "\"");
    }
  }

  /** The word here; empty if there is another token. */
  String keyword() {
    return peek() instanceof Token.Word(var text) ? text : "";
  }

  /** Fields that follow without a space. */
  List<String> path(String... first) {
    var path = new ArrayList<String>(List.of(first));
    while (peek() instanceof Token.Field(var name)) {
      path.add(name);
      at++;
    }
    return path;
  }

  /** Whether variables are bound here, and how; null if not. */
  Binding bindingAhead() {
    for (Token token : tokens.subList(at, tokens.size())) {
      if (token == Sign.DECLARE || token == Sign.ASSIGN) {
        return token == Sign.DECLARE ? Binding.DECLARE : Binding.ASSIGN;
      }
      if (token != Sign.SPACE && token != Sign.COMMA && !(token instanceof Token.Variable)) {
        return null;
      }
    }
    return null;
  }

  InvalidTemplate invalid(String what) {
    return new InvalidTemplate(what + " in {{" + source + "}}");
  }
}
