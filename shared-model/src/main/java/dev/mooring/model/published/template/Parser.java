package dev.mooring.model.published.template;

import java.util.ArrayList;
import java.util.List;

/** Reads a pipeline: {@code command | command | ...}, where a command is a value or a call. */
final class Parser {
  /** Parentheses deeper than this are a mistake or an attack. */
  private static final int DEPTH_MAX = 32;

  private final List<Token> tokens;
  private final String action;
  private int at;

  private Parser(List<Token> tokens, String action) {
    this.tokens = tokens;
    this.action = action;
  }

  static Expression parse(String action) {
    var parser = new Parser(Lexer.tokens(action), action);
    Expression expression = parser.pipeline(0);
    if (parser.at < parser.tokens.size()) {
      throw parser.invalid("unexpected \")\"");
    }
    return expression;
  }

  private Expression pipeline(int depth) {
    if (depth > DEPTH_MAX) {
      throw invalid("parentheses nested deeper than " + DEPTH_MAX);
    }
    Expression result = command(null, depth);
    while (at < tokens.size() && tokens.get(at) instanceof Token.Pipe) {
      at++;
      result = command(result, depth);
    }
    return result;
  }

  private Expression command(Expression piped, int depth) {
    if (at < tokens.size() && tokens.get(at) instanceof Token.Word(var name)) {
      at++;
      return call(name, arguments(piped, depth));
    }
    Expression value = operand(depth);
    if (value == null) {
      throw invalid("a value or function is missing");
    }
    if (piped != null) {
      throw invalid("only a function can stand after \"|\"");
    }
    if (operandFollows()) {
      throw invalid("only a function can take arguments");
    }
    return value;
  }

  private List<Expression> arguments(Expression piped, int depth) {
    var arguments = new ArrayList<Expression>();
    for (Expression next = operand(depth); next != null; next = operand(depth)) {
      arguments.add(next);
    }
    if (piped != null) {
      arguments.add(piped);
    }
    return arguments;
  }

  private boolean operandFollows() {
    return at < tokens.size()
        && !(tokens.get(at) instanceof Token.Pipe)
        && !(tokens.get(at) instanceof Token.Close);
  }

  /** Null if there is none here. */
  private Expression operand(int depth) {
    if (at >= tokens.size()) {
      return null;
    }
    return switch (tokens.get(at)) {
      case Token.Literal(var value) -> {
        at++;
        yield new Expression.Constant(value);
      }
      case Token.Field(var path) -> {
        at++;
        yield new Expression.Field(path);
      }
      case Token.Word(var name) -> {
        at++;
        yield call(name, List.of());
      }
      case Token.Open() -> {
        at++;
        Expression inner = pipeline(depth + 1);
        if (at >= tokens.size() || !(tokens.get(at) instanceof Token.Close)) {
          throw invalid("\")\" is missing");
        }
        at++;
        yield inner;
      }
      case Token.Pipe(), Token.Close() -> null;
    };
  }

  private Expression call(String name, List<Expression> arguments) {
    TemplateFunction function = TemplateFunction.named(name);
    if (function == null) {
      throw invalid("function \"" + name + "\" is not defined");
    }
    if (arguments.size() < function.least() || arguments.size() > function.most()) {
      throw invalid("wrong number of arguments for " + name + ": " + arguments.size());
    }
    return new Expression.Call(function, arguments);
  }

  private InvalidTemplate invalid(String what) {
    return new InvalidTemplate(what + " in {{" + action + "}}");
  }
}
