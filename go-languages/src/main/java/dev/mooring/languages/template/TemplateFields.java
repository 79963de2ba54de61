package dev.mooring.languages.template;

import dev.mooring.languages.FieldStep;
import dev.mooring.languages.template.syntax.Node;
import dev.mooring.languages.template.syntax.Node.Binding;
import dev.mooring.languages.template.syntax.Node.Command;
import dev.mooring.languages.template.syntax.Node.Keyword;
import dev.mooring.languages.template.syntax.Node.Operand;
import dev.mooring.languages.template.syntax.Node.Pipeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Follows the root of a template through pipelines, variables and blocks. */
final class TemplateFields {
  private static final Set<String> LOOKUPS = Set.of("index", "get");

  private final Map<String, List<Node>> definitions;
  private final Set<String> visited = new HashSet<>();
  private final Set<List<FieldStep>> found = new LinkedHashSet<>();

  /** A path from the root; empty for what the template computes. */
  private record Value(Optional<List<FieldStep>> path) {
    private static final Value OTHER = new Value(Optional.empty());
    private static final Value ROOT = new Value(Optional.of(List.of()));
  }

  private TemplateFields(Map<String, List<Node>> definitions) {
    this.definitions = definitions;
  }

  static Set<List<FieldStep>> of(Node.Tree tree) {
    var fields = new TemplateFields(tree.definitions());
    fields.walk(tree.nodes(), Value.ROOT, new HashMap<>(Map.of("", Value.ROOT)));
    return fields.found;
  }

  private void walk(List<Node> nodes, Value dot, Map<String, Value> variables) {
    for (Node node : nodes) {
      switch (node) {
        case Node.Text _, Node.Jump _ -> {}
        case Node.Action(var pipeline) ->
            bind(pipeline, value(pipeline, dot, variables), variables);
        case Node.Control(var keyword, var pipeline, var body, var otherwise) -> {
          Value value = value(pipeline, dot, variables);
          Value bound = keyword == Keyword.RANGE ? step(value, new FieldStep.Entry()) : value;
          var scope = new HashMap<>(variables);
          bind(pipeline, bound, scope);
          walk(body, keyword == Keyword.IF ? dot : bound, scope);
          walk(otherwise, dot, new HashMap<>(variables));
        }
        case Node.Template(var name, var pipeline) -> {
          Value inside = pipeline == null ? Value.OTHER : value(pipeline, dot, variables);
          if (visited.add(name + inside)) {
            walk(definitions.get(name), inside, new HashMap<>(Map.of("", inside)));
          }
        }
      }
    }
  }

  /** Of several variables the last one takes the value. A variable that changes is not followed. */
  private static void bind(Pipeline pipeline, Value value, Map<String, Value> variables) {
    for (String name : pipeline.variables()) {
      boolean followed =
          pipeline.binding() == Binding.DECLARE && name.equals(pipeline.variables().getLast());
      variables.put(name, followed ? value : Value.OTHER);
    }
  }

  private Value value(Pipeline pipeline, Value dot, Map<String, Value> variables) {
    List<Value> values =
        pipeline.commands().stream().map(command -> value(command, dot, variables)).toList();
    return values.size() == 1 ? values.getFirst() : Value.OTHER;
  }

  private Value value(Command command, Value dot, Map<String, Value> variables) {
    List<Value> values =
        command.operands().stream().map(operand -> value(operand, dot, variables)).toList();
    if (!(command.operands().getFirst() instanceof Operand.Call(var function))) {
      return values.getFirst();
    }
    return LOOKUPS.contains(function.name()) && values.size() > 1
        ? looked(values.get(1), command.operands().subList(2, values.size()))
        : Value.OTHER;
  }

  /** {@code index .Object.spec "name"}. */
  private Value looked(Value in, List<Operand> keys) {
    Value here = in;
    for (Operand key : keys) {
      here =
          key instanceof Operand.Constant(String name)
              ? step(here, new FieldStep.Field(name))
              : step(here, new FieldStep.Entry());
    }
    return here;
  }

  private Value value(Operand operand, Value dot, Map<String, Value> variables) {
    return switch (operand) {
      case Operand.Dot() -> dot;
      case Operand.Nil(), Operand.Constant(_), Operand.Call(_) -> Value.OTHER;
      case Operand.Field(var path) -> fields(dot, path);
      case Operand.Variable(var name, var path) ->
          fields(variables.getOrDefault(name, Value.OTHER), path);
      case Operand.Group(var pipeline, var path) -> fields(value(pipeline, dot, variables), path);
    };
  }

  private Value fields(Value of, List<String> names) {
    Value here = of;
    for (String name : names) {
      here = step(here, new FieldStep.Field(name));
    }
    return here;
  }

  private Value step(Value of, FieldStep step) {
    return new Value(
        of.path()
            .map(path -> {
              var longer = new ArrayList<>(path);
              longer.add(step);
              List<FieldStep> whole = List.copyOf(longer);
              found.add(whole);
              return whole;
            }));
  }
}
