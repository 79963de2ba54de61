package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What can be seen at a place of a template while it is parsed.
 *
 * @param roots fields of the root
 * @param variables grow with declarations
 * @param inRange whether {@code break} is allowed
 * @param dotIsRoot then the fields of dot are known
 * @param dollarIsRoot then the fields of {@code $} are known
 */
record Scope(
    Set<String> roots,
    List<String> variables,
    int depth,
    boolean inRange,
    boolean dotIsRoot,
    boolean dollarIsRoot) {
  /** Control structures and parentheses deeper than this are a mistake or an attack. */
  private static final int DEPTH_MAX = 32;

  static Scope top(Set<String> roots) {
    return new Scope(roots, new ArrayList<>(), 0, false, true, true);
  }

  /** One level deeper, with the same variables. */
  Scope deeper(TokenReader tokens) {
    return with(tokens, variables);
  }

  /** One level deeper; variables declared there end there. */
  Scope nested(TokenReader tokens) {
    return with(tokens, new ArrayList<>(variables));
  }

  private Scope with(TokenReader tokens, List<String> visible) {
    if (depth == DEPTH_MAX) {
      throw tokens.invalid("nested deeper than " + DEPTH_MAX);
    }
    return new Scope(roots, visible, depth + 1, inRange, dotIsRoot, dollarIsRoot);
  }

  /** Of a body whose dot is another one. */
  Scope otherDot() {
    return new Scope(roots, variables, depth, inRange, false, dollarIsRoot);
  }

  /** Of the body of {@code range}. */
  Scope round() {
    return new Scope(roots, variables, depth, true, false, dollarIsRoot);
  }

  /** Of what is around it, a definition sees nothing. */
  Scope definition(TokenReader tokens) {
    return new Scope(roots, new ArrayList<>(), depth, false, false, false).nested(tokens);
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
