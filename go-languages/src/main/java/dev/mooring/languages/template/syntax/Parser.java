package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.template.syntax.Node.Pipeline;
import dev.mooring.languages.template.syntax.PipelineParser.Place;
import dev.mooring.languages.template.syntax.Scope.Body;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Builds the tree of a template. Everything that can be known without values is checked here:
 * functions, numbers of arguments, variables, names of templates, and fields of the root.
 */
public final class Parser {
  private final List<Segment> segments;
  private final Scope scope;
  private final PipelineParser pipelines;
  private final Map<String, List<Node>> definitions = new HashMap<>();
  private final List<String> called = new ArrayList<>();
  private int at;

  private Parser(List<Segment> segments, Set<String> roots) {
    this.segments = segments;
    this.scope = new Scope(roots);
    this.pipelines = new PipelineParser(scope);
  }

  /** Throws {@link InvalidTemplate}. */
  public static Node.Tree parse(String source, Set<String> roots) {
    var parser = new Parser(Segment.split(source), roots);
    var nodes = new ArrayList<Node>();
    String end = parser.list(nodes);
    if (!end.isEmpty()) {
      throw new InvalidTemplate("unexpected {{" + end + "}}");
    }
    for (String name : parser.called) {
      if (!parser.definitions.containsKey(name)) {
        throw new InvalidTemplate("the template \"" + name + "\" is not defined");
      }
    }
    return new Node.Tree(nodes, parser.definitions);
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
            case "define" -> define(tokens);
            case "block" -> nodes.add(block(tokens));
            case "template" -> nodes.add(template(tokens));
            default -> nodes.add(new Node.Action(pipelines.pipeline(tokens, Place.ACTION)));
          }
        }
      }
    }
    return "";
  }

  private Node jump(Node.Jump jump, TokenReader tokens) {
    tokens.next();
    tokens.expectEnd();
    if (!scope.isInRange()) {
      throw tokens.invalid(jump.name().toLowerCase(Locale.ROOT) + " outside of range");
    }
    return jump;
  }

  private void define(TokenReader tokens) {
    if (!scope.isTop()) {
      throw tokens.invalid("define can only stand at the top");
    }
    String name = name(tokens);
    tokens.expectEnd();
    definition(name, tokens);
  }

  private Node block(TokenReader tokens) {
    String name = name(tokens);
    Pipeline pipeline = pipelines.pipeline(tokens, Place.ACTION);
    definition(name, tokens);
    called.add(name);
    return new Node.Template(name, pipeline);
  }

  private Node template(TokenReader tokens) {
    String name = name(tokens);
    called.add(name);
    return new Node.Template(
        name, tokens.peek() == null ? null : pipelines.pipeline(tokens, Place.ACTION));
  }

  private static String name(TokenReader tokens) {
    tokens.next();
    tokens.skipSpace();
    if (tokens.next() instanceof Token.Literal(String name)) {
      tokens.skipSpace();
      return name;
    }
    throw tokens.invalid("the name of a template is a string");
  }

  private void definition(String name, TokenReader tokens) {
    var body = new ArrayList<Node>();
    String stop = scope.definition(tokens, () -> list(body));
    requireEnd(stop, tokens);
    // An empty definition gives way to another one.
    List<Node> present = definitions.getOrDefault(name, List.of());
    if (isEmpty(present)) {
      definitions.put(name, List.copyOf(body));
    } else if (!isEmpty(body)) {
      throw new InvalidTemplate("the template \"" + name + "\" is defined twice");
    }
  }

  private static boolean isEmpty(List<Node> nodes) {
    return nodes.stream().allMatch(node -> node instanceof Node.Text(var text) && text.isBlank());
  }

  private Node control(String keyword, TokenReader tokens) {
    return scope.nested(tokens, () -> nested(keyword, tokens));
  }

  private Node nested(String keyword, TokenReader tokens) {
    tokens.next();
    Body kind =
        switch (keyword) {
          case "if" -> Body.PLAIN;
          case "with" -> Body.OTHER_DOT;
          default -> Body.ROUND;
        };
    Pipeline pipeline = pipelines.pipeline(tokens, kind == Body.ROUND ? Place.RANGE : Place.ACTION);
    var body = new ArrayList<Node>();
    String stop = scope.body(kind, () -> list(body));
    var otherwise = new ArrayList<Node>();
    if (stop.startsWith("else")) {
      otherwise(keyword, stop, otherwise);
    } else {
      requireEnd(stop, tokens);
    }
    return switch (kind) {
      case PLAIN -> new Node.If(pipeline, body, otherwise);
      case OTHER_DOT -> new Node.With(pipeline, body, otherwise);
      case ROUND -> new Node.Range(pipeline, body, otherwise);
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
}
