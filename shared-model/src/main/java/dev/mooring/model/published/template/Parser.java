package dev.mooring.model.published.template;

import dev.mooring.model.published.template.Node.Binding;
import dev.mooring.model.published.template.Node.Command;
import dev.mooring.model.published.template.Node.Operand;
import dev.mooring.model.published.template.Node.Pipeline;
import dev.mooring.model.published.template.Token.Sign;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Builds the tree of a template. Everything that can be known without values is checked here:
 * functions, numbers of arguments, variables, and fields of the root.
 */
final class Parser {
  /** Control structures and parentheses deeper than this are a mistake or an attack. */
  private static final int DEPTH_MAX = 32;

  private final Set<String> roots;
  private final List<Segment> segments;
  private final List<String> variables = new ArrayList<>();
  private int at;
  private int depth;
  private int ranges;

  /** Whether dot is the root: then its fields are known. */
  private Dot dot = Dot.ROOT;

  private enum Dot {
    ROOT,
    ANYTHING
  }

  private Parser(List<Segment> segments, Set<String> roots) {
    this.segments = segments;
    this.roots = roots;
  }

  /** Throws {@link InvalidTemplate}. */
  static List<Node> parse(String source, Set<String> roots) {
    var parser = new Parser(Segment.split(source), roots);
    var nodes = new ArrayList<Node>();
    String end = parser.list(nodes);
    if (!end.isEmpty()) {
      throw new InvalidTemplate("unexpected {{" + end + "}}");
    }
    return nodes;
  }

  /** Reads up to {@code end} or {@code else}, whose whole action it gives; empty at the end. */
  private String list(List<Node> nodes) {
    while (at < segments.size()) {
      switch (segments.get(at++)) {
        case Segment.Text(var text) -> nodes.add(new Node.Text(text));
        case Segment.Action(var source) -> {
          var tokens = new TokenReader(source);
          switch (tokens.keyword()) {
            case "end", "else" -> {
              return source.strip();
            }
            case "if" -> nodes.add(control("if", tokens));
            case "with" -> nodes.add(control("with", tokens));
            case "range" -> nodes.add(control("range", tokens));
            case "break" -> nodes.add(jump(Node.Jump.BREAK, tokens));
            case "continue" -> nodes.add(jump(Node.Jump.CONTINUE, tokens));
            case "define", "block", "template" ->
                throw tokens.invalid("define, block and template are not supported");
            default -> nodes.add(new Node.Action(pipeline(tokens, Place.ACTION)));
          }
        }
      }
    }
    return "";
  }

  private Node jump(Node.Jump jump, TokenReader tokens) {
    tokens.next();
    tokens.expectEnd();
    if (ranges == 0) {
      throw tokens.invalid(jump.name().toLowerCase(java.util.Locale.ROOT) + " outside of range");
    }
    return jump;
  }

  private Node control(String keyword, TokenReader tokens) {
    if (++depth > DEPTH_MAX) {
      throw tokens.invalid("control structures nested deeper than " + DEPTH_MAX);
    }
    tokens.next();
    int visible = variables.size();
    Dot outer = dot;
    Pipeline pipeline = pipeline(tokens, keyword.equals("range") ? Place.RANGE : Place.ACTION);
    var body = new ArrayList<Node>();
    if (!keyword.equals("if")) {
      dot = Dot.ANYTHING;
    }
    ranges += keyword.equals("range") ? 1 : 0;
    String stop = list(body);
    ranges -= keyword.equals("range") ? 1 : 0;
    dot = outer;
    var otherwise = new ArrayList<Node>();
    if (stop.startsWith("else")) {
      otherwise(keyword, stop, otherwise);
    } else {
      requireEnd(stop, tokens);
    }
    variables.subList(visible, variables.size()).clear();
    depth--;
    return switch (keyword) {
      case "if" -> new Node.If(pipeline, body, otherwise);
      case "with" -> new Node.With(pipeline, body, otherwise);
      default -> new Node.Range(pipeline, body, otherwise);
    };
  }

  private void otherwise(String keyword, String stop, List<Node> nodes) {
    var tokens = new TokenReader(stop);
    tokens.next();
    tokens.skipSpace();
    String chained = tokens.keyword();
    if (chained.equals(keyword) && !keyword.equals("range")) {
      nodes.add(control(keyword, tokens));
      return;
    }
    tokens.expectEnd();
    requireEnd(list(nodes), tokens);
  }

  private static void requireEnd(String stop, TokenReader tokens) {
    if (stop.isEmpty()) {
      throw tokens.invalid("{{end}} is missing");
    }
    if (!stop.equals("end")) {
      throw new InvalidTemplate("unexpected {{" + stop + "}}");
    }
  }

  private enum Place {
    ACTION,
    /** Two variables are allowed. */
    RANGE
  }

  private Pipeline pipeline(TokenReader tokens, Place place) {
    var names = new ArrayList<String>();
    Binding binding = declarations(tokens, place, names);
    var commands = new ArrayList<Command>();
    do {
      Command command = command(tokens, commands.isEmpty());
      commands.add(command);
      tokens.skipSpace();
    } while (tokens.takeIf(Sign.PIPE));
    if (tokens.peek() != null && (tokens.peek() != Sign.CLOSE || !tokens.inGroup())) {
      throw tokens.invalid("unexpected \"" + tokens.peekText() + "\"");
    }
    // Visible only from here on: a variable's own value cannot read it.
    if (binding == Binding.DECLARE) {
      variables.addAll(names);
    }
    return new Pipeline(names, binding, commands);
  }

  private Binding declarations(TokenReader tokens, Place place, List<String> names) {
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
      if (binding == Binding.ASSIGN && !variables.contains(name)) {
        throw tokens.invalid("undefined variable $" + name);
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

  private Command command(TokenReader tokens, boolean first) {
    var operands = new ArrayList<Operand>();
    tokens.skipSpace();
    while (tokens.peek() != null && tokens.peek() != Sign.PIPE && tokens.peek() != Sign.CLOSE) {
      operands.add(operand(tokens));
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
    check(tokens, operands, first ? 0 : 1);
    return new Command(operands);
  }

  private static void check(TokenReader tokens, List<Operand> operands, int piped) {
    int given = operands.size() - 1 + piped;
    switch (operands.getFirst()) {
      case Operand.Call(var function) -> function.requireCount(given, tokens::invalid);
      case Operand.Field _, Operand.Variable _ -> {
        // A method may take arguments, which only the value can tell.
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

  private Operand operand(TokenReader tokens) {
    Token token = tokens.next();
    return switch (token) {
      case Token.Literal(var value) -> {
        if (tokens.peek() instanceof Token.Field) {
          throw tokens.invalid("unexpected . after a constant");
        }
        yield new Operand.Constant(value);
      }
      case Token.Field(var name) -> {
        if (dot == Dot.ROOT) {
          requireRoot(name, tokens);
        }
        yield new Operand.Field(tokens.path(name));
      }
      case Token.Variable(var name) -> {
        if (!name.isEmpty() && !variables.contains(name)) {
          throw tokens.invalid("undefined variable $" + name);
        }
        List<String> path = tokens.path();
        if (name.isEmpty() && !path.isEmpty()) {
          requireRoot(path.getFirst(), tokens);
        }
        yield new Operand.Variable(name, path);
      }
      case Token.Word(var name) when name.equals("nil") -> new Operand.Nil();
      case Token.Word(var name) -> new Operand.Call(TemplateFunctions.named(name, tokens::invalid));
      case Sign.DOT -> new Operand.Dot();
      case Sign.OPEN -> {
        if (++depth > DEPTH_MAX) {
          throw tokens.invalid("parentheses nested deeper than " + DEPTH_MAX);
        }
        tokens.enterGroup();
        Pipeline inner = pipeline(tokens, Place.ACTION);
        if (!tokens.takeIf(Sign.CLOSE)) {
          throw tokens.invalid("\")\" is missing");
        }
        tokens.leaveGroup();
        depth--;
        yield new Operand.Group(inner, tokens.path());
      }
      case Sign sign -> throw tokens.invalid("unexpected \"" + sign + "\"");
    };
  }

  private void requireRoot(String name, TokenReader tokens) {
    if (!roots.contains(name)) {
      throw new InvalidTemplate(
          "unknown field ."
              + name
              + "; known are "
              + roots.stream().sorted().map(root -> "." + root).toList());
    }
  }
}
