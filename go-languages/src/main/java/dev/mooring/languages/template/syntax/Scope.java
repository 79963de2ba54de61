package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** What can be seen at a place of a template while it is parsed. */
final class Scope {
  /** Control structures and parentheses deeper than this are a mistake or an attack. */
  private static final int DEPTH_MAX = 32;

  private final Set<String> roots;
  private final List<String> variables = new ArrayList<>();
  private int depth;
  private int ranges;

  /** Of the root, the fields are known. */
  private boolean dotIsRoot = true;

  private boolean dollarIsRoot = true;

  /**
   * @param roots fields of the root
   */
  Scope(Set<String> roots) {
    this.roots = roots;
  }

  /** What a body does to its surroundings. */
  enum Body {
    /** Of {@code if}: dot stays. */
    PLAIN,
    /** Of {@code with}: dot is another one. */
    OTHER_DOT,
    /** Of {@code range}: dot is another one, and {@code break} is allowed. */
    ROUND
  }

  boolean isTop() {
    return depth == 0;
  }

  boolean isInRange() {
    return ranges > 0;
  }

  /** What is read one level deeper. */
  <T> T deeper(TokenReader tokens, Supplier<T> inside) {
    if (++depth > DEPTH_MAX) {
      throw tokens.invalid("nested deeper than " + DEPTH_MAX);
    }
    T read = inside.get();
    depth--;
    return read;
  }

  /** As {@link #deeper}; variables declared there end there. */
  <T> T nested(TokenReader tokens, Supplier<T> inside) {
    int visible = variables.size();
    T read = deeper(tokens, inside);
    variables.subList(visible, variables.size()).clear();
    return read;
  }

  <T> T body(Body body, Supplier<T> inside) {
    boolean outer = dotIsRoot;
    dotIsRoot &= body == Body.PLAIN;
    ranges += body == Body.ROUND ? 1 : 0;
    T read = inside.get();
    ranges -= body == Body.ROUND ? 1 : 0;
    dotIsRoot = outer;
    return read;
  }

  /** Of what is around it, a definition sees nothing. */
  <T> T definition(TokenReader tokens, Supplier<T> inside) {
    List<String> outerVariables = List.copyOf(variables);
    boolean outerDot = dotIsRoot;
    boolean outerDollar = dollarIsRoot;
    int outerRanges = ranges;
    variables.clear();
    dotIsRoot = false;
    dollarIsRoot = false;
    ranges = 0;
    T read = nested(tokens, inside);
    variables.addAll(outerVariables);
    dotIsRoot = outerDot;
    dollarIsRoot = outerDollar;
    ranges = outerRanges;
    return read;
  }

  void declare(List<String> names) {
    variables.addAll(names);
  }

  void requireVariable(String name, TokenReader tokens) {
    if (!name.isEmpty() && !variables.contains(name)) {
      throw tokens.invalid("undefined variable $" + name);
    }
  }

  /** Throws {@link InvalidTemplate} if dot is the root and has no such field. */
  void requireFieldOfDot(String name) {
    requireRoot(dotIsRoot, name);
  }

  /** As {@link #requireFieldOfDot}, of {@code $}. */
  void requireFieldOfDollar(String name) {
    requireRoot(dollarIsRoot, name);
  }

  private void requireRoot(boolean isRoot, String name) {
    if (isRoot && !roots.contains(name)) {
      throw new InvalidTemplate(
          "unknown field ."
              + name
              + "; known are "
              + roots.stream().sorted().map(root -> "." + root).toList());
    }
  }
}
