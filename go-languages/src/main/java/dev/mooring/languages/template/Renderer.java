package dev.mooring.languages.template;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.function.TemplateFunction;
import dev.mooring.languages.template.syntax.Node;
import dev.mooring.languages.template.syntax.Node.Binding;
import dev.mooring.languages.template.syntax.Node.Command;
import dev.mooring.languages.template.syntax.Node.Operand;
import dev.mooring.languages.template.syntax.Node.Pipeline;
import dev.mooring.languages.template.value.Bounded;
import dev.mooring.languages.template.value.Missing;
import dev.mooring.languages.template.value.TimeMembers;
import dev.mooring.languages.template.value.Values;
import dev.mooring.languages.template.value.WithMembers;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One rendering: variables, output, and what is left of the budget. */
final class Renderer {
  /** Steps and parts of values; a rendering within it takes well below a second. */
  private static final long BUDGET = 2_000_000;

  /** Templates within templates deeper than this are a mistake or an attack. */
  private static final int CALLS_MAX = 100;

  private final Map<String, List<Node>> definitions;
  private final Map<String, ?> root;
  private final Set<String> roots;

  /** What {@code $} stands for. */
  private Object dollar;

  private int calls;
  private final Bounded out = new Bounded();
  private final Deque<Variable> variables = new ArrayDeque<>();
  private long budget = BUDGET;

  private static final class Variable {
    private final String name;
    private Object value;

    Variable(String name, Object value) {
      this.name = name;
      this.value = value;
    }
  }

  Renderer(Map<String, List<Node>> definitions, Map<String, ?> root, Set<String> roots) {
    this.definitions = definitions;
    this.root = root;
    this.roots = roots;
    this.dollar = root;
  }

  String render(List<Node> nodes) {
    walk(nodes, root);
    return out.toString();
  }

  /** Null if nothing jumps. */
  private Node.Jump walk(List<Node> nodes, Object dot) {
    for (Node node : nodes) {
      Node.Jump jump = walk(node, dot);
      if (jump != null) {
        return jump;
      }
    }
    return null;
  }

  private Node.Jump walk(Node node, Object dot) {
    charge(1);
    return switch (node) {
      case Node.Text(var text) -> {
        out.append(text);
        yield null;
      }
      case Node.Action(var pipeline) -> {
        Object value = evaluate(pipeline, dot);
        if (pipeline.variables().isEmpty()) {
          out.append(Values.output(value));
        }
        yield null;
      }
      case Node.Control control -> control(control, dot);
      case Node.Template(var name, var pipeline) -> {
        template(definitions.get(name), pipeline == null ? null : evaluate(pipeline, dot));
        yield null;
      }
      case Node.Jump jump -> jump;
    };
  }

  private void template(List<Node> nodes, Object value) {
    if (++calls > CALLS_MAX) {
      throw new TemplateFailure("templates call each other deeper than " + CALLS_MAX);
    }
    var outerVariables = new ArrayDeque<>(variables);
    Object outerDollar = dollar;
    variables.clear();
    Object inside = value == null ? Missing.VALUE : value;
    dollar = inside;
    walk(nodes, inside);
    variables.clear();
    variables.addAll(outerVariables);
    dollar = outerDollar;
    calls--;
  }

  private Node.Jump leave(int visible, Node.Jump jump) {
    while (variables.size() > visible) {
      variables.pop();
    }
    return jump;
  }

  private Node.Jump control(Node.Control control, Object dot) {
    if (control.keyword() == Node.Keyword.RANGE) {
      return range(control, dot);
    }
    int visible = variables.size();
    Object value = evaluate(control.pipeline(), dot);
    if (!Values.truth(value)) {
      return leave(visible, walk(control.otherwise(), dot));
    }
    Object inside = control.keyword() == Node.Keyword.WITH ? value : dot;
    return leave(visible, walk(control.body(), inside));
  }

  private Node.Jump range(Node.Control range, Object dot) {
    int visible = variables.size();
    List<String> names = range.pipeline().variables();
    Rounds rounds = Rounds.of(evaluateUnbound(range.pipeline(), dot), names.size(), budget);
    charge(rounds.cost());
    List<Object> items = rounds.items();
    if (items.isEmpty()) {
      return leave(visible, walk(range.otherwise(), dot));
    }
    for (int i = 0; i < items.size(); i++) {
      charge(1);
      int before = variables.size();
      if (names.size() == 2) {
        bind(range.pipeline().binding(), names.getFirst(), rounds.keys().get(i));
      }
      if (!names.isEmpty()) {
        bind(range.pipeline().binding(), names.getLast(), items.get(i));
      }
      if (leave(before, walk(range.body(), items.get(i))) == Node.Jump.BREAK) {
        break;
      }
    }
    return leave(visible, null);
  }

  private void bind(Binding binding, String name, Object value) {
    switch (binding) {
      case DECLARE -> variables.push(new Variable(name, value));
      case ASSIGN -> find(name).value = value;
    }
  }

  private Variable find(String name) {
    for (Variable variable : variables) {
      if (variable.name.equals(name)) {
        return variable;
      }
    }
    // Declared in a branch that was not taken.
    throw new TemplateFailure("undefined variable $" + name);
  }

  private Object evaluate(Pipeline pipeline, Object dot) {
    Object value = evaluateUnbound(pipeline, dot);
    for (String name : pipeline.variables()) {
      bind(pipeline.binding(), name, value);
    }
    return value;
  }

  private Object evaluateUnbound(Pipeline pipeline, Object dot) {
    Object value = null;
    boolean piped = false;
    for (Command command : pipeline.commands()) {
      value = evaluate(command, dot, piped ? Collections.singletonList(value) : List.of());
      piped = true;
    }
    return value;
  }

  /**
   * @param piped the value of the command before, which may be null; empty without one
   */
  private Object evaluate(Command command, Object dot, List<Object> piped) {
    charge(1);
    List<Operand> operands = command.operands();
    Operand first = operands.getFirst();
    if (first instanceof Operand.Call(var function) && function.shortCircuit() != null) {
      return logical(function, operands, dot, piped);
    }
    var arguments = new ArrayList<Object>();
    operands.stream().skip(1).forEach(operand -> arguments.add(value(operand, dot)));
    arguments.addAll(piped);
    return switch (first) {
      case Operand.Call(var function) -> call(function, arguments);
      case Operand.Field(var path) -> fields(dot, path, arguments);
      case Operand.Variable(var name, var path) -> {
        if (path.isEmpty() && !arguments.isEmpty()) {
          throw new TemplateFailure("$" + name + " is not a function");
        }
        yield fields(variable(name), path, arguments);
      }
      case Operand.Group(var pipeline, var path) ->
          fields(evaluate(pipeline, dot), path, arguments);
      case Operand.Constant _, Operand.Dot _, Operand.Nil _ -> value(first, dot);
    };
  }

  private Object logical(
      TemplateFunction function, List<Operand> operands, Object dot, List<Object> piped) {
    boolean decisive = function.shortCircuit() == TemplateFunction.ShortCircuit.TRUE;
    Object value = null;
    for (Operand operand : operands.subList(1, operands.size())) {
      value = value(operand, dot);
      if (Values.truth(value) == decisive) {
        return value;
      }
    }
    return piped.isEmpty() ? value : piped.getFirst();
  }

  private Object value(Operand operand, Object dot) {
    charge(1);
    return switch (operand) {
      case Operand.Dot() -> dot;
      case Operand.Nil() -> null;
      case Operand.Constant(var constant) -> constant;
      case Operand.Field(var path) -> fields(dot, path, List.of());
      case Operand.Variable(var name, var path) -> fields(variable(name), path, List.of());
      case Operand.Group(var pipeline, var path) ->
          fields(evaluate(pipeline, dot), path, List.of());
      case Operand.Call(var function) -> call(function, List.of());
    };
  }

  private Object variable(String name) {
    Object value = name.isEmpty() ? dollar : find(name).value;
    // A variable forgets that its value was a field; nil has no fields then, but is no mistake.
    return value == null ? Missing.VALUE : value;
  }

  private Object call(TemplateFunction function, List<Object> arguments) {
    try {
      Object result = function.call(arguments);
      if (result instanceof String text && text.length() > GoTemplate.OUTPUT_MAX) {
        throw new TemplateFailure("the text gets longer than " + GoTemplate.OUTPUT_MAX);
      }
      charge(
          result instanceof String || function.result() == TemplateFunction.Result.MADE
              ? Values.weight(result, budget)
              : 1);
      return result;
    } catch (ExpressionFailure | InvalidExpression e) {
      throw new TemplateFailure(function.name() + ": " + e.getMessage());
    }
  }

  private Object fields(Object start, List<String> path, List<Object> arguments) {
    Object here = start;
    for (int i = 0; i < path.size(); i++) {
      here = field(here, path.get(i), i == path.size() - 1 ? arguments : List.of());
    }
    return here;
  }

  private Object field(Object here, String name, List<Object> arguments) {
    return switch (here) {
      case Missing missing -> missing;
      case null -> throw new TemplateFailure("nil has no field ." + name);
      case Map<?, ?> map -> {
        if (!arguments.isEmpty()) {
          throw new TemplateFailure("." + name + " is not a method but has arguments");
        }
        if (map == root && !roots.contains(name)) {
          throw new TemplateFailure("can't evaluate field ." + name + " of the template's root");
        }
        yield map.containsKey(name) ? map.get(name) : Missing.VALUE;
      }
      case WithMembers value -> {
        Object member = value.member(name, arguments);
        charge(Values.weight(member, budget));
        yield member;
      }
      case OffsetDateTime time -> TimeMembers.member(time, name, arguments);
      default ->
          throw new TemplateFailure("can't evaluate field ." + name + " of " + Values.type(here));
    };
  }

  private void charge(long cost) {
    budget -= cost;
    if (budget < 0) {
      throw new TemplateFailure("the template takes too many steps");
    }
  }
}
