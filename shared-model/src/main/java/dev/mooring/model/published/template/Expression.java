package dev.mooring.model.published.template;

import java.util.List;

/** What an action computes. */
sealed interface Expression {
  record Constant(Object value) implements Expression {}

  record Field(List<String> path) implements Expression {
    public Field {
      path = List.copyOf(path);
    }
  }

  /** The piped value, if any, is already the last argument. */
  record Call(TemplateFunction function, List<Expression> arguments) implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /** The fields of the root that the expression reads, first step only. */
  default void collectRoots(java.util.Set<String> roots) {
    switch (this) {
      case Constant _ -> {}
      case Field(var path) -> {
        if (!path.isEmpty()) {
          roots.add(path.getFirst());
        }
      }
      case Call(_, var arguments) -> arguments.forEach(argument -> argument.collectRoots(roots));
    }
  }
}
