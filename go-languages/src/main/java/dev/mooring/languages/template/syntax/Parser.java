package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.template.syntax.Node.Keyword;
import dev.mooring.languages.template.syntax.Node.Pipeline;
import dev.mooring.languages.template.syntax.PipelineParser.Place;
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
  private final Map<String, List<Node>> definitions = new HashMap<>();
  private final List<String> called = new ArrayList<>();
  private int at;

  private Parser(List<Segment> segments) {
    this.segments = segments;
  }

  /** Throws {@link InvalidTemplate}. */
  public static Node.Tree parse(String source, Set<String> roots) {
    var parser = new Parser(Segment.split(source));
    var nodes = new ArrayList<Node>();
    String end = parser.list(nodes, Scope.top(roots));
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
  private String list(List<Node> nodes, Scope scope) {
    while (at < segments.size()) {
      switch (segments.get(at++)) {
        case Segment.Text(var text) -> nodes.add(new Node.Text(text));
        case Segment.Action(var source) -> {
          var tokens = new TokenReader(source);
          switch (tokens.keyword()) {
            case "end", "else" -> {
              return source.strip();
            }
            case "if" -> nodes.add(control(Keyword.IF, tokens, scope));
            case "with" -> nodes.add(control(Keyword.WITH, tokens, scope));
            case "range" -> nodes.add(control(Keyword.RANGE, tokens, scope));
            case "break" -> nodes.add(jump(Node.Jump.BREAK, tokens, scope));
            case "continue" -> nodes.add(jump(Node.Jump.CONTINUE, tokens, scope));
            case "define" -> define(tokens, scope);
            case "block" -> nodes.add(block(tokens, scope));
            case "template" -> nodes.add(template(tokens, scope));
            default ->
                nodes.add(new Node.Action(PipelineParser.parse(tokens, Place.ACTION, scope)));
          }
        }
      }
    }
    return "";
  }

  private static Node jump(Node.Jump jump, TokenReader tokens, Scope scope) {
    tokens.next();
    tokens.expectEnd();
    if (!scope.inRange()) {
      throw tokens.invalid(jump.name().toLowerCase(Locale.ROOT) + " outside of range");
    }
    return jump;
  }

  private void define(TokenReader tokens, Scope scope) {
    if (scope.depth() > 0) {
      throw tokens.invalid("define can only stand at the top");
    }
    String name = name(tokens);
    tokens.expectEnd();
    definition(name, tokens, scope);
  }

  private Node block(TokenReader tokens, Scope scope) {
    String name = name(tokens);
    Pipeline pipeline = PipelineParser.parse(tokens, Place.ACTION, scope);
    definition(name, tokens, scope);
    called.add(name);
    return new Node.Template(name, pipeline);
  }

  private Node template(TokenReader tokens, Scope scope) {
    String name = name(tokens);
    called.add(name);
    return new Node.Template(
        name, tokens.peek() == null ? null : PipelineParser.parse(tokens, Place.ACTION, scope));
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

  private void definition(String name, TokenReader tokens, Scope scope) {
    var body = new ArrayList<Node>();
    requireEnd(list(body, scope.definition(tokens)), tokens);
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

  private Node control(Keyword keyword, TokenReader tokens, Scope around) {
    Scope scope = around.nested(tokens);
    tokens.next();
    Place place = keyword == Keyword.RANGE ? Place.RANGE : Place.ACTION;
    Pipeline pipeline = PipelineParser.parse(tokens, place, scope);
    var body = new ArrayList<Node>();
    var otherwise = new ArrayList<Node>();
    Scope inside =
        switch (keyword) {
          case IF -> scope;
          case WITH -> scope.otherDot();
          case RANGE -> scope.round();
        };
    String stop = list(body, inside);
    if (stop.startsWith("else")) {
      otherwise(keyword, stop, otherwise, scope);
    } else {
      requireEnd(stop, tokens);
    }
    return new Node.Control(keyword, pipeline, body, otherwise);
  }

  private void otherwise(Keyword keyword, String stop, List<Node> nodes, Scope scope) {
    var tokens = new TokenReader(stop);
    tokens.next();
    tokens.skipSpace();
    boolean chained = tokens.keyword().equals(keyword.name().toLowerCase(Locale.ROOT));
    if (chained && keyword != Keyword.RANGE) {
      nodes.add(control(keyword, tokens, scope));
      return;
    }
    tokens.expectEnd();
    requireEnd(list(nodes, scope), tokens);
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
