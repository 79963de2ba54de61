package dev.mooring.sandbox.cel;

import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names in CEL expressions (apiserver {@code pkg/cel/escaping.go}). */
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

  private static final Pattern UNSELECTABLE = Pattern.compile("__|[-./]");
  private static final Pattern ESCAPED = Pattern.compile("__([^_]+)__");

  private CelNames() {}

  /**
   * How an expression selects a field that has no name for CEL: {@code a.b} is {@code a__dot__b}.
   */
  public static String escaped(String name) {
    if (RESERVED.contains(name)) {
      return "__" + name + "__";
    }
    return UNSELECTABLE
        .matcher(name)
        .replaceAll(match ->
            switch (match.group()) {
              case "." -> "__dot__";
              case "-" -> "__dash__";
              case "/" -> "__slash__";
              default -> "__underscores__";
            });
  }

  /** What {@link #escaped} was made of; the name itself if it is no escaped one. */
  public static String unescaped(String name) {
    boolean isKeyword =
        name.length() > 4
            && name.startsWith("__")
            && name.endsWith("__")
            && RESERVED.contains(name.substring(2, name.length() - 2));
    return isKeyword
        ? name.substring(2, name.length() - 2)
        : ESCAPED.matcher(name).replaceAll(CelNames::character);
  }

  private static String character(MatchResult escape) {
    return switch (escape.group(1)) {
      case "dot" -> ".";
      case "dash" -> "-";
      case "slash" -> "/";
      case "underscores" -> "__";
      default -> Matcher.quoteReplacement(escape.group());
    };
  }
}
