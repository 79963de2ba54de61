package dev.mooring.sandbox.cel.library;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.languages.version.SemanticVersion;
import java.util.List;

/**
 * A semantic version as {@code blang/semver} reads it: strictly, unless the text is normalized
 * before. Build metadata neither orders nor distinguishes versions.
 */
record Semver(SemanticVersion version) implements Comparable<Semver> {
  /** {@code semver()} and what belongs to it. */
  static final List<Overload> FUNCTIONS =
      List.of(
          Overload.unary("semver(string) Semver", Semver::parse),
          Overload.binary(
              "semver(string, bool) Semver",
              (String text, Boolean normalize) ->
                  Semver.parse(normalize ? Semver.normalized(text) : text)),
          Overload.unary("isSemver(string) bool", (String text) -> Semver.isValid(text, false)),
          Overload.binary("isSemver(string, bool) bool", Semver::isValid),
          Overload.binary(
              "(Semver) isGreaterThan(Semver) bool",
              (Semver left, Semver right) -> left.compareTo(right) > 0),
          Overload.binary(
              "(Semver) isLessThan(Semver) bool",
              (Semver left, Semver right) -> left.compareTo(right) < 0),
          Overload.binary(
              "(Semver) compareTo(Semver) int",
              (Semver left, Semver right) -> (long) left.compareTo(right)),
          Overload.unary("(Semver) major() int", (Semver semver) -> semver.version().major()),
          Overload.unary("(Semver) minor() int", (Semver semver) -> semver.version().minor()),
          Overload.unary("(Semver) patch() int", (Semver semver) -> semver.version().patch()));

  /** Throws {@link FunctionError}. */
  static Semver parse(String text) {
    try {
      SemanticVersion version = SemanticVersion.parse(text);
      if (version.toString().equals(text)) {
        return new Semver(version);
      }
    } catch (ExpressionFailure unreadable) {
      // A version that is not written in full is refused as well.
    }
    throw new FunctionError(GoQuotes.quote(text) + " is not a semantic version");
  }

  static boolean isValid(String text, boolean normalize) {
    try {
      return parse(normalize ? normalized(text) : text) != null;
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
      parts[i] = parts[i].replaceFirst("^0+(?=[0-9])", "");
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
