package dev.mooring.languages.template.syntax;

/** A piece of an action. Space counts: {@code .a.b} is one value, {@code .a .b} are two. */
sealed interface Token {
  /** {@code .name}. */
  record Field(String name) implements Token {}

  /** {@code $name}, or {@code $} with an empty name. */
  record Variable(String name) implements Token {}

  /** A function or a keyword. */
  record Word(String text) implements Token {}

  /** A String, Long, Double or Boolean. */
  record Literal(Object value) implements Token {}

  /** Anything that is only itself. */
  enum Sign implements Token {
    DOT("."),
    PIPE("|"),
    OPEN("("),
    CLOSE(")"),
    COMMA(","),
    DECLARE(":="),
    ASSIGN("="),
    SPACE(" ");

    private final String text;

    Sign(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
