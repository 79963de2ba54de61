package dev.mooring.languages.version;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.mooring.languages.ExpressionFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * What Masterminds' semver checks versions with: conditions such as {@code ^1.2}, {@code ~1.2.3},
 * {@code >= 1.2, < 2}, {@code 1.2 - 1.4} and {@code 1.x}, with {@code ||} between alternatives. A
 * pre-release fits only where a condition of the alternative names one.
 */
public final class VersionConstraint {
  private static final String PART = "[0-9xX*|]+";

  private static final String VERSION =
      "v?(?:%1$s)(?:\\.%1$s)?(?:\\.%1$s)?(?:-%2$s)?(?:\\+%2$s)?"
          .formatted(PART, SemanticVersion.IDENTIFIERS);

  private static final String OPERATOR = "(?:!=|>=|=>|<=|=<|~>|=|>|<|~|\\^)?";

  private static final String CONDITION = OPERATOR + "\\s*" + VERSION;

  private static final Pattern ALTERNATIVE =
      Pattern.compile("\\s*%1$s\\s*(?:(?:\\s+|,\\s*)%1$s\\s*)*".formatted(CONDITION));

  private static final Pattern FIND = Pattern.compile("(%s)\\s*(%s)".formatted(OPERATOR, VERSION));

  private static final Pattern RANGE =
      Pattern.compile("\\s*(%1$s)\\s+-\\s+(%1$s)\\s*".formatted(VERSION));

  private static final Pattern PARTS =
      Pattern.compile(
          "v?(%1$s)(?:\\.(%1$s))?(?:\\.(%1$s))?(-%2$s)?(?:\\+%2$s)?"
              .formatted(PART, SemanticVersion.IDENTIFIERS));

  private final List<List<Condition>> alternatives;

  private VersionConstraint(List<List<Condition>> alternatives) {
    this.alternatives = alternatives;
  }

  /** Throws {@link ExpressionFailure}. */
  public static VersionConstraint parse(String text) {
    String plain = RANGE.matcher(text).replaceAll(">= $1, <= $2 ");
    var alternatives = new ArrayList<List<Condition>>();
    for (String alternative : plain.split("\\|\\|", -1)) {
      if (!ALTERNATIVE.matcher(alternative).matches()) {
        throw new ExpressionFailure("the text is no constraint on versions");
      }
      var conditions = new ArrayList<Condition>();
      Matcher found = FIND.matcher(alternative);
      while (found.find()) {
        conditions.add(Condition.of(found.group(1), found.group(2)));
      }
      alternatives.add(conditions);
    }
    return new VersionConstraint(alternatives);
  }

  public boolean fits(SemanticVersion version) {
    return alternatives.stream()
        .anyMatch(conditions ->
            (version.preRelease().isEmpty()
                    || conditions.stream().anyMatch(Condition::namesPreRelease))
                && conditions.stream().allMatch(condition -> condition.fits(version)));
  }

  /** How much of a version a condition names. */
  private enum Named {
    NOTHING,
    MAJOR,
    MINOR,
    ALL
  }

  private record Condition(String operator, SemanticVersion bound, Named named) {
    static Condition of(String operator, String text) {
      Matcher parts = PARTS.matcher(text);
      if (!parts.matches()) {
        throw new ExpressionFailure("the text is no constraint on versions");
      }
      String preRelease = parts.group(4) == null ? "" : parts.group(4);
      if (isOpen(parts.group(1))) {
        return new Condition(operator, SemanticVersion.parse("0.0.0" + preRelease), Named.NOTHING);
      }
      if (isOpen(parts.group(2))) {
        return new Condition(
            operator, SemanticVersion.parse(parts.group(1) + ".0.0" + preRelease), Named.MAJOR);
      }
      if (isOpen(parts.group(3))) {
        return new Condition(
            operator,
            SemanticVersion.parse(parts.group(1) + "." + parts.group(2) + ".0" + preRelease),
            Named.MINOR);
      }
      return new Condition(operator, SemanticVersion.parse(text), Named.ALL);
    }

    private static boolean isOpen(String part) {
      return part == null || part.equals("x") || part.equals("X") || part.equals("*");
    }

    boolean namesPreRelease() {
      return !bound.preRelease().isEmpty();
    }

    boolean fits(SemanticVersion version) {
      int order = version.compare(bound);
      return switch (operator) {
        case "!=" -> differs(version);
        case ">" -> above(version);
        case "<" -> order < 0;
        case ">=", "=>" -> order >= 0;
        case "<=", "=<" -> notAbove(version);
        case "~", "~>" -> order >= 0 && sameMinor(version);
        case "^" -> order >= 0 && compatible(version);
        default -> named == Named.ALL ? order == 0 : order >= 0 && sameMinor(version);
      };
    }

    private boolean differs(SemanticVersion version) {
      return switch (named) {
        case ALL -> version.compare(bound) != 0;
        case NOTHING ->
            version.major() != 0
                || version.minor() != 0
                || version.patch() != 0
                || version.compare(bound) != 0;
        case MAJOR -> version.major() != bound.major();
        case MINOR ->
            version.major() != bound.major()
                || version.minor() != bound.minor()
                || SemanticVersion.comparePreReleases(version.preRelease(), bound.preRelease())
                    != 0;
      };
    }

    private boolean above(SemanticVersion version) {
      int major = Long.compareUnsigned(version.major(), bound.major());
      return switch (named) {
        case ALL, NOTHING -> version.compare(bound) > 0;
        case MAJOR -> major > 0;
        case MINOR ->
            major > 0 || major == 0 && Long.compareUnsigned(version.minor(), bound.minor()) > 0;
      };
    }

    private boolean notAbove(SemanticVersion version) {
      int major = Long.compareUnsigned(version.major(), bound.major());
      return switch (named) {
        case ALL -> version.compare(bound) <= 0;
        case MAJOR -> major <= 0;
        case NOTHING, MINOR ->
            major < 0 || major == 0 && Long.compareUnsigned(version.minor(), bound.minor()) <= 0;
      };
    }

    private boolean sameMinor(SemanticVersion version) {
      boolean zero = bound.major() == 0 && bound.minor() == 0 && bound.patch() == 0;
      return switch (named) {
        case NOTHING -> true;
        case MAJOR -> version.major() == bound.major();
        case MINOR -> version.major() == bound.major() && version.minor() == bound.minor();
        case ALL -> zero || version.major() == bound.major() && version.minor() == bound.minor();
      };
    }

    /** The same up to the first part that is not 0. */
    private boolean compatible(SemanticVersion version) {
      if (version.major() != bound.major()) {
        return false;
      }
      if (bound.major() != 0 || named == Named.MAJOR) {
        return true;
      }
      if (version.minor() != bound.minor()) {
        return false;
      }
      return bound.minor() != 0 || named == Named.MINOR || version.patch() == bound.patch();
    }
  }
}
