package dev.mooring.languages.template.syntax;

import dev.mooring.languages.template.function.TemplateFunction;
import java.util.List;
import java.util.Map;

/** A part of a parsed template. */
public sealed interface Node {
  /**
   * A whole template.
   *
   * @param definitions by name; those that a {@link Template} names are there
   */
  record Tree(List<Node> nodes, Map<String, List<Node>> definitions) {
    public Tree {
      nodes = List.copyOf(nodes);
      definitions = Map.copyOf(definitions);
    }
  }

  record Text(String text) implements Node {}

  record Action(Pipeline pipeline) implements Node {}

  /** {@code if}, {@code with} or {@code range}. */
  record Control(Keyword keyword, Pipeline pipeline, List<Node> body, List<Node> otherwise)
      implements Node {
    public Control {
      body = List.copyOf(body);
      otherwise = List.copyOf(otherwise);
    }
  }

  enum Keyword {
    IF,
    WITH,
    RANGE
  }

  /**
   * Renders a definition.
   *
   * @param pipeline its dot; null for none
   */
  record Template(String name, Pipeline pipeline) implements Node {}

  /** Leaves the innermost range, or its current round. */
  enum Jump implements Node {
    BREAK,
    CONTINUE
  }

  /**
   * Commands whose values are passed on.
   *
   * @param variables that take the value (in a range: index and element)
   */
  record Pipeline(List<String> variables, Binding binding, List<Command> commands) {
    public Pipeline {
      variables = List.copyOf(variables);
      commands = List.copyOf(commands);
    }
  }

  /** What a pipeline does with its variables. */
  enum Binding {
    DECLARE,
    ASSIGN
  }

  /** A value, or a function with its arguments. */
  record Command(List<Operand> operands) {
    public Command {
      operands = List.copyOf(operands);
    }
  }

  /** One word of a command. */
  sealed interface Operand {
    record Dot() implements Operand {}

    record Nil() implements Operand {}

    record Constant(Object value) implements Operand {}

    /** {@code .a.b}, from dot. */
    record Field(List<String> path) implements Operand {
      public Field {
        path = List.copyOf(path);
      }
    }

    /** {@code $x.a.b}. */
    record Variable(String name, List<String> path) implements Operand {
      public Variable {
        path = List.copyOf(path);
      }
    }

    /** {@code (...)}, with the fields behind it. */
    record Group(Pipeline pipeline, List<String> path) implements Operand {
      public Group {
        path = List.copyOf(path);
      }
    }

    record Call(TemplateFunction function) implements Operand {}
  }
}
