package dev.mooring.sandbox.cel;

import java.util.Set;
import java.util.regex.Pattern;

/** Names in CEL expressions (apiserver {@code pkg/cel/escaping.go}). */
public final class CelNames {
  /** No identifier may have one of these names. */
  public static final Set<String> RESERVED =
      Set.of(
          ("true false null in as break const continue else for function if import let loop package"
                  + " namespace return var void while")
              .split(" "));

  private static final Pattern UNSELECTABLE = Pattern.compile("__|[-./]");

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
}
