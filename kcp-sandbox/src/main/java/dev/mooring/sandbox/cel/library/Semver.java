package dev.mooring.sandbox.cel.library;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.languages.version.SemanticVersion;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A semantic version as {@code blang/semver} reads it: strictly, unless the text is normalized
 * before. Build metadata neither orders nor distinguishes versions.
 */
record Semver(SemanticVersion version) implements Comparable<Semver> {
  private static final Pattern DIGITS = Pattern.compile("[0-9]*");
  private static final Pattern IDENTIFIER = Pattern.compile("[0-9A-Za-z-]*");

  /** Throws {@link FunctionError}. */
  static Semver parse(String text) {
    if (text.isEmpty()) {
      throw new FunctionError("Version string empty");
    }
    String[] parts = text.split("\\.", 3);
    if (parts.length < 3) {
      throw new FunctionError("No Major.Minor.Patch elements found");
    }
    long major = number(parts[0], "Major");
    long minor = number(parts[1], "Minor");
    String rest = parts[2];
    int plus = rest.indexOf('+');
    String build = plus < 0 ? "" : rest.substring(plus + 1);
    String release = plus < 0 ? rest : rest.substring(0, plus);
    int dash = release.indexOf('-');
    String preRelease = dash < 0 ? "" : release.substring(dash + 1);
    long patch = number(dash < 0 ? release : release.substring(0, dash), "Patch");
    if (dash >= 0) {
      identifiers(preRelease).forEach(Semver::requirePreRelease);
    }
    if (plus >= 0) {
      identifiers(build).forEach(Semver::requireBuild);
    }
    return new Semver(new SemanticVersion(major, minor, patch, preRelease, build, text));
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
      throw new FunctionError("short version cannot contain PreRelease/Build meta data");
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

  private static List<String> identifiers(String text) {
    return List.of(text.split("\\.", -1));
  }

  private static long number(String digits, String part) {
    if (!DIGITS.matcher(digits).matches()) {
      throw new FunctionError(
          "Invalid character(s) found in %s number %s"
              .formatted(part.toLowerCase(java.util.Locale.ROOT), GoQuotes.quote(digits)));
    }
    if (digits.length() > 1 && digits.startsWith("0")) {
      throw new FunctionError(
          "%s number must not contain leading zeroes %s".formatted(part, GoQuotes.quote(digits)));
    }
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      throw new FunctionError(
          "strconv.ParseUint: parsing %s: %s"
              .formatted(
                  GoQuotes.quote(digits),
                  digits.isEmpty() ? "invalid syntax" : "value out of range"));
    }
  }

  private static void requirePreRelease(String identifier) {
    if (identifier.isEmpty()) {
      throw new FunctionError("Prerelease is empty");
    }
    if (!IDENTIFIER.matcher(identifier).matches()) {
      throw new FunctionError(
          "Invalid character(s) found in prerelease " + GoQuotes.quote(identifier));
    }
    if (DIGITS.matcher(identifier).matches()
        && identifier.length() > 1
        && identifier.startsWith("0")) {
      throw new FunctionError(
          "Numeric PreRelease version must not contain leading zeroes "
              + GoQuotes.quote(identifier));
    }
  }

  private static void requireBuild(String identifier) {
    if (identifier.isEmpty()) {
      throw new FunctionError("Build meta data is empty");
    }
    if (!IDENTIFIER.matcher(identifier).matches()) {
      throw new FunctionError(
          "Invalid character(s) found in build meta data " + GoQuotes.quote(identifier));
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
