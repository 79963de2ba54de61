package dev.mooring.sandbox.cel;

import java.util.Set;

/** Names in CEL expressions. */
public final class CelNames {
  /** No identifier may have one of these names. */
  public static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private CelNames() {}
}
