package dev.mooring.languages.template.syntax;

import dev.mooring.languages.template.function.TemplateFunctions;
import dev.mooring.languages.template.syntax.Node.Binding;
import dev.mooring.languages.template.syntax.Node.Command;
import dev.mooring.languages.template.syntax.Node.Operand;
import dev.mooring.languages.template.syntax.Node.Pipeline;
import dev.mooring.languages.template.syntax.Token.Sign;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what gives a value: pipelines of commands, with variables, parentheses and fields.
 *
 * @param tokens of one action
 */
record PipelineParser(TokenReader tokens, Scope scope) {
  /** Where a pipeline stands. */
  enum Place {
    ACTION,
    /** Two variables are allowed. */
    RANGE,
    /** In parentheses. */
    GROUP
  }

  static Pipeline parse(TokenReader tokens, Place place, Scope scope) {
    return new PipelineParser(tokens, scope).pipeline(place);
  }

  private Pipeline pipeline(Place place) {
    var names = new ArrayList<String>();
    Binding binding = declarations(place, names);
    var commands = new ArrayList<Command>();
    do {
      Command command = command(commands.isEmpty());
      commands.add(command);
      tokens.skipSpace();
    } while (tokens.takeIf(Sign.PIPE));
    if (tokens.peek() != null && (tokens.peek() != Sign.CLOSE || place != Place.GROUP)) {
      throw tokens.invalid("unexpected \"" + tokens.peekText() + "\"");
    }
    // Visible only from here on: a variable's own value cannot read it.
    if (binding == Binding.DECLARE) {
      scope.variables().addAll(names);
    }
    return new Pipeline(names, binding, commands);
  }

  private Binding declarations(Place place, List<String> names) {
    tokens.skipSpace();
    Binding binding = tokens.bindingAhead();
    if (binding == null) {
      return Binding.DECLARE;
    }
    while (true) {
      tokens.skipSpace();
      if (!(tokens.next() instanceof Token.Variable(var name)) || name.isEmpty()) {
        throw tokens.invalid("a variable is expected before := or =");
      }
      if (binding == Binding.ASSIGN) {
        scope.requireVariable(name, tokens);
      }
      names.add(name);
      tokens.skipSpace();
      if (!tokens.takeIf(Sign.COMMA)) {
        break;
      }
    }
    tokens.next();
    if (names.size() > (place == Place.RANGE ? 2 : 1)) {
      throw tokens.invalid("too many variables");
    }
    return binding;
  }

  private Command command(boolean first) {
    var operands = new ArrayList<Operand>();
    tokens.skipSpace();
    while (tokens.peek() != null && tokens.peek() != Sign.PIPE && tokens.peek() != Sign.CLOSE) {
      operands.add(operand());
      if (tokens.peek() != null
          && tokens.peek() != Sign.PIPE
          && tokens.peek() != Sign.CLOSE
          && tokens.peek() != Sign.SPACE) {
        throw tokens.invalid("unexpected \"" + tokens.peekText() + "\"");
      }
      tokens.skipSpace();
    }
    if (operands.isEmpty()) {
      throw tokens.invalid("a value is missing");
    }
    check(operands, first ? 0 : 1);
    return new Command(operands);
  }

  private void check(List<Operand> operands, int piped) {
    int given = operands.size() - 1 + piped;
    switch (operands.getFirst()) {
      case Operand.Call(var function) -> function.requireCount(given, tokens::invalid);
      case Operand.Field _, Operand.Variable _ -> {
        // A method may take arguments, which only the value can tell.
      }
      case Operand.Group(_, var path) when !path.isEmpty() -> {
        // Likewise.
      }
      case Operand.Nil() -> throw tokens.invalid("nil is not a command");
      case Operand.Group _, Operand.Constant _, Operand.Dot _ -> {
        if (given > 0) {
          throw tokens.invalid("only a function takes arguments or can stand after \"|\"");
        }
      }
    }
    operands.stream()
        .skip(1)
        .forEach(operand -> {
          if (operand instanceof Operand.Call(var function)) {
            function.requireCount(0, tokens::invalid);
          }
        });
  }

  private Operand operand() {
    Token token = tokens.next();
    return switch (token) {
      case Token.Literal(var value) -> {
        if (tokens.peek() instanceof Token.Field) {
          throw tokens.invalid("unexpected . after a constant");
        }
        yield new Operand.Constant(value);
      }
      case Token.Field(var name) -> {
        scope.requireFieldOfDot(name);
        yield new Operand.Field(tokens.path(name));
      }
      case Token.Variable(var name) -> {
        scope.requireVariable(name, tokens);
        List<String> path = tokens.path();
        if (name.isEmpty() && !path.isEmpty()) {
          scope.requireFieldOfDollar(path.getFirst());
        }
        yield new Operand.Variable(name, path);
      }
      case Token.Word(var name) when name.equals("nil") -> new Operand.Nil();
      case Token.Word(var name) -> new Operand.Call(TemplateFunctions.named(name, tokens::invalid));
      case Sign.DOT -> new Operand.Dot();
      case Sign.OPEN -> {
        Pipeline inner = parse(tokens, Place.GROUP, scope.deeper(tokens));
        if (!tokens.takeIf(Sign.CLOSE)) {
          throw tokens.invalid("\")\" is missing");
        }
        yield new Operand.Group(inner, tokens.path());
      }
      case Sign sign -> throw tokens.invalid("unexpected \"" + sign + "\"");
    };
  }
}
