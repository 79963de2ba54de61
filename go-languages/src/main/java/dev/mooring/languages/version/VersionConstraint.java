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

  /**
   * @param named how many of the numbers of the bound it names; the others are 0
   */
  private record Condition(String operator, SemanticVersion bound, int named) {
    private static final int ALL = 3;

    static Condition of(String operator, String text) {
      Matcher parts = PARTS.matcher(text);
      if (!parts.matches()) {
        throw new ExpressionFailure("the text is no constraint on versions");
      }
      int named = 0;
      var numbers = new StringBuilder();
      while (named < ALL && !isOpen(parts.group(named + 1))) {
        numbers.append(named == 0 ? "" : ".").append(parts.group(++named));
      }
      if (named == ALL) {
        return new Condition(operator, SemanticVersion.parse(text), ALL);
      }
      numbers.append(named == 0 ? "0.0.0" : ".0".repeat(ALL - named));
      String preRelease = parts.group(4) == null ? "" : parts.group(4);
      return new Condition(operator, SemanticVersion.parse(numbers + preRelease), named);
    }

    private static boolean isOpen(String part) {
      return part == null || part.equals("x") || part.equals("X") || part.equals("*");
    }

    boolean namesPreRelease() {
      return !bound.preRelease().isEmpty();
    }

    boolean fits(SemanticVersion version) {
      int order = version.compare(bound);
      // Where the condition leaves numbers open, these count alone.
      int major = version.compareNumbers(bound, 1);
      int minor = version.compareNumbers(bound, 2);
      return switch (operator) {
        case "!=" ->
            switch (named) {
              case 1 -> major != 0;
              case 2 -> minor != 0 || differsInPreRelease(version);
              default -> order != 0;
            };
        case ">" ->
            switch (named) {
              case 1 -> major > 0;
              case 2 -> minor > 0;
              default -> order > 0;
            };
        case "<" -> order < 0;
        case ">=", "=>" -> order >= 0;
        case "<=", "=<" ->
            switch (named) {
              case 1 -> major <= 0;
              case ALL -> order <= 0;
              default -> minor <= 0;
            };
        case "~", "~>" -> order >= 0 && sameMinor(version);
        case "^" -> order >= 0 && compatible(version);
        default -> named == ALL ? order == 0 : order >= 0 && sameMinor(version);
      };
    }

    private boolean differsInPreRelease(SemanticVersion version) {
      return SemanticVersion.comparePreReleases(version.preRelease(), bound.preRelease()) != 0;
    }

    private boolean sameMinor(SemanticVersion version) {
      boolean zero = bound.major() == 0 && bound.minor() == 0 && bound.patch() == 0;
      return named == ALL && zero || version.compareNumbers(bound, Math.min(named, 2)) == 0;
    }

    /** The same up to the first part that is not 0. */
    private boolean compatible(SemanticVersion version) {
      int same = bound.major() != 0 || named == 1 ? 1 : bound.minor() != 0 || named == 2 ? 2 : ALL;
      return version.compareNumbers(bound, same) == 0;
    }
  }
}
