package dev.mooring.languages.version;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.mooring.languages.ExpressionFailure;

/**
 * A version as Masterminds' semver reads it: a leading {@code v} and missing parts are allowed.
 *
 * @param major unsigned, like the two after it
 * @param preRelease empty if there is none
 * @param metadata empty if there is none
 * @param original the text that it was read from
 */
public record SemanticVersion(
    long major, long minor, long patch, String preRelease, String metadata, String original) {
  /** Identifiers with dots between them. */
  static final String IDENTIFIERS = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";

  private static final Pattern SYNTAX =
      Pattern.compile(
          "v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?(?:-(%1$s))?(?:\\+(%1$s))?"
              .formatted(IDENTIFIERS));

  /** Throws {@link ExpressionFailure}. */
  public static SemanticVersion parse(String text) {
    Matcher parts = SYNTAX.matcher(text);
    if (!parts.matches()) {
      throw new ExpressionFailure("the text is no semantic version");
    }
    return new SemanticVersion(
            number(parts.group(1)),
            number(parts.group(2)),
            number(parts.group(3)),
            orEmpty(parts.group(4)),
            orEmpty(parts.group(5)),
            text)
        .requirePreRelease();
  }

  private static String orEmpty(String group) {
    return group == null ? "" : group;
  }

  private static long number(String digits) {
    try {
      return digits == null ? 0 : Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      throw new ExpressionFailure("a number of the semantic version is too large");
    }
  }

  private SemanticVersion requirePreRelease() {
    for (String identifier : preRelease.split("\\.")) {
      if (identifier.matches("0[0-9]+")) {
        throw new ExpressionFailure("a number in a pre-release has a leading zero");
      }
    }
    return this;
  }

  /** Order of versions, in which metadata does not count. */
  public int compare(SemanticVersion other) {
    int order = compareNumbers(other, 3);
    if (order != 0 || preRelease.equals(other.preRelease)) {
      return order;
    }
    if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
      return preRelease.isEmpty() ? 1 : -1;
    }
    return comparePreReleases(preRelease, other.preRelease);
  }

  /** Of the first of major, minor and patch. */
  int compareNumbers(SemanticVersion other, int first) {
    long[] left = {major, minor, patch};
    long[] right = {other.major, other.minor, other.patch};
    int order = 0;
    for (int i = 0; i < first && order == 0; i++) {
      order = Long.compareUnsigned(left[i], right[i]);
    }
    return order;
  }

  static int comparePreReleases(String one, String other) {
    String[] left = one.split("\\.", -1);
    String[] right = other.split("\\.", -1);
    for (int i = 0; i < Math.max(left.length, right.length); i++) {
      int order = compareParts(i < left.length ? left[i] : "", i < right.length ? right[i] : "");
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** Numbers are below words, and what is missing is below both. */
  private static int compareParts(String left, String right) {
    if (left.equals(right)) {
      return 0;
    }
    if (left.isEmpty() || right.isEmpty()) {
      return left.isEmpty() ? -1 : 1;
    }
    boolean leftNumber = isNumber(left);
    boolean rightNumber = isNumber(right);
    if (leftNumber && rightNumber) {
      return Long.compareUnsigned(Long.parseUnsignedLong(left), Long.parseUnsignedLong(right)) > 0
          ? 1
          : -1;
    }
    if (leftNumber || rightNumber) {
      return leftNumber ? -1 : 1;
    }
    return left.compareTo(right) > 0 ? 1 : -1;
  }

  private static boolean isNumber(String text) {
    try {
      Long.parseUnsignedLong(text);
      return text.charAt(0) != '+';
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** The same with another pre-release, or none; throws {@link ExpressionFailure}. */
  public SemanticVersion withPreRelease(String changed) {
    return derived(major, minor, patch, requireIdentifiers(changed), metadata).requirePreRelease();
  }

  /** The same with other metadata, or none; throws {@link ExpressionFailure}. */
  public SemanticVersion withMetadata(String changed) {
    return derived(major, minor, patch, preRelease, requireIdentifiers(changed));
  }

  public SemanticVersion nextMajor() {
    return derived(major + 1, 0, 0, "", "");
  }

  public SemanticVersion nextMinor() {
    return derived(major, minor + 1, 0, "", "");
  }

  /** Of a pre-release, the release. */
  public SemanticVersion nextPatch() {
    return derived(major, minor, preRelease.isEmpty() ? patch + 1 : patch, "", "");
  }

  private SemanticVersion derived(
      long newMajor, long newMinor, long newPatch, String newPreRelease, String newMetadata) {
    var version = new SemanticVersion(newMajor, newMinor, newPatch, newPreRelease, newMetadata, "");
    return new SemanticVersion(
        newMajor,
        newMinor,
        newPatch,
        newPreRelease,
        newMetadata,
        (original.startsWith("v") ? "v" : "") + version);
  }

  private static String requireIdentifiers(String text) {
    if (!text.isEmpty() && !Pattern.matches(IDENTIFIERS, text)) {
      throw new ExpressionFailure("the text has no place in a semantic version");
    }
    return text;
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(major)
        + "."
        + Long.toUnsignedString(minor)
        + "."
        + Long.toUnsignedString(patch)
        + (preRelease.isEmpty() ? "" : "-" + preRelease)
        + (metadata.isEmpty() ? "" : "+" + metadata);
  }
}
