package dev.mooring.model.published.template;

/** A word of an action. */
sealed interface Token {
  /** {@code .a.b}: the names without dots; "." alone is the empty list. */
  record Field(java.util.List<String> path) implements Token {
    public Field {
      path = java.util.List.copyOf(path);
    }
  }

  record Word(String name) implements Token {}

  /** A string, Long, Double, Boolean. */
  record Literal(Object value) implements Token {}

  record Pipe() implements Token {}

  record Open() implements Token {}

  record Close() implements Token {}
}
