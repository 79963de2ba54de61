package dev.mooring.sandbox.cel.library;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.languages.version.SemanticVersion;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version as {@code blang/semver} reads it: strictly, unless the text is normalized
 * before. Build metadata neither orders nor distinguishes versions.
 */
record Semver(SemanticVersion version) implements Comparable<Semver> {
  private static final String NUMBER = "(0|[1-9][0-9]*)";
  private static final String IDENTIFIER = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
  private static final Pattern VERSION =
      Pattern.compile(
          NUMBER
              + "\\."
              + NUMBER
              + "\\."
              + NUMBER
              + "(?:-("
              + IDENTIFIER
              + "(?:\\."
              + IDENTIFIER
              + ")*))?"
              + "(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?");

  /** Throws {@link FunctionError}. */
  static Semver parse(String text) {
    Matcher matcher = VERSION.matcher(text);
    if (!matcher.matches()) {
      throw new FunctionError(GoQuotes.quote(text) + " is not a semantic version");
    }
    return new Semver(
        new SemanticVersion(
            number(matcher.group(1)),
            number(matcher.group(2)),
            number(matcher.group(3)),
            Objects.requireNonNullElse(matcher.group(4), ""),
            Objects.requireNonNullElse(matcher.group(5), ""),
            text));
  }

  private static long number(String digits) {
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      throw new FunctionError(digits + " is too large a number for a semantic version");
    }
  }

  static boolean isValid(String text) {
    try {
      return parse(text) != null;
    } catch (FunctionError e) {
      return false;
    }
  }

  /**
   * Without a leading {@code v} and leading zeros, and with all three numbers; throws {@link
   * FunctionError}.
   */
  static String normalized(String text) {
    String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].length() > 1) {
        String stripped = parts[i].replaceFirst("^0+", "");
        parts[i] =
            stripped.isEmpty() || !Character.isDigit(stripped.charAt(0))
                ? "0" + stripped
                : stripped;
      }
    }
    if (parts.length == 3) {
      return String.join(".", parts);
    }
    String last = parts[parts.length - 1];
    if (last.contains("+") || last.contains("-")) {
      throw new FunctionError("a short version cannot have a pre-release or build metadata");
    }
    return String.join(".", parts) + ".0".repeat(3 - parts.length);
  }

  static boolean isNormalizable(String text) {
    try {
      return parse(normalized(text)) != null;
    } catch (FunctionError e) {
      return false;
    }
  }

  @Override
  public int compareTo(Semver other) {
    return Integer.signum(version.compare(other.version));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Semver that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return version.preRelease().hashCode() * 31 + Long.hashCode(version.major());
  }
}
