package dev.mooring.sandbox.selector;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@code metav1.LabelSelector} or its text form, as in {@code ?labelSelector=}, compiled. All
 * requirements have to hold; the empty selector matches everything.
 */
public final class LabelSelector {
  /** Matches every set of labels. */
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  /**
   * {@code !a}, {@code a}, {@code a=b}, {@code a!=b}, {@code a>1} or {@code a in (b,c)}, and a
   * comma if another one follows. Never goes back, for selectors may be long.
   */
  private static final Pattern TERM =
      Pattern.compile(
          """
          \\s*+(?:!\\s*+(?<absent>[^\\s=!(),<>]++)|(?<key>[^\\s=!(),<>]++)\\s*+\
          (?:(?<compare>==?|!=|[<>])\\s*+(?<value>[^\\s=!(),<>]*+)\
          |(?<=\\s)(?<set>in|notin)\\s*+\\((?<values>[^()]*+)\\))?+)\\s*+(?<comma>,|$)\
          """);

  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d{1,18}");

  private final List<Requirement> requirements;

  private record Requirement(String key, Operator operator, List<String> values) {
    boolean holds(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case EQUALS, IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
        case GREATER -> compare(value) > 0;
        case LESS -> compare(value) < 0;
        case UNKNOWN -> false;
      };
    }

    /** Zero for a value that is no number. */
    private int compare(@Nullable String value) {
      try {
        return value == null
            ? 0
            : Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
      } catch (NumberFormatException notANumber) {
        return 0;
      }
    }

    @Override
    public String toString() {
      String listed = values.stream().sorted().collect(Collectors.joining(",", "(", ")"));
      return switch (operator) {
        case EQUALS -> key + "=" + values.getFirst();
        case IN -> key + " in " + listed;
        case NOT_IN -> key + " notin " + listed;
        case EXISTS -> key;
        case DOES_NOT_EXIST -> "!" + key;
        case GREATER -> key + ">" + values.getFirst();
        case LESS -> key + "<" + values.getFirst();
        case UNKNOWN -> "";
      };
    }
  }

  private enum Operator {
    /** Of {@code matchLabels}. */
    EQUALS,
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GREATER,
    LESS,
    UNKNOWN;

    /** Of {@code matchExpressions}. */
    static Operator of(String operator) {
      return switch (operator) {
        case "In" -> IN;
        case "NotIn" -> NOT_IN;
        case "Exists" -> EXISTS;
        case "DoesNotExist" -> DOES_NOT_EXIST;
        default -> UNKNOWN;
      };
    }

    /** Of a text, by {@link #TERM}. */
    static Operator ofText(String operator) {
      return switch (operator) {
        case "in" -> IN;
        case "notin", "!=" -> NOT_IN;
        case ">" -> GREATER;
        case "<" -> LESS;
        default -> EQUALS;
      };
    }
  }

  private LabelSelector(List<Requirement> requirements) {
    this.requirements = requirements;
  }

  /** From the text form; throws {@link IllegalArgumentException} for what is none. */
  public static LabelSelector parse(String text) {
    if (text.isBlank()) {
      return EVERYTHING;
    }
    var requirements = new ArrayList<Requirement>();
    Matcher term = TERM.matcher(text);
    boolean more = true;
    while (more) {
      if (!term.lookingAt()) {
        String rest = text.substring(term.regionStart());
        boolean isOpen = rest.contains("(") && !rest.contains(")");
        throw new IllegalArgumentException(
            "unable to parse requirement: "
                + (isOpen ? "found '', expected: ',' or ')'" : "'" + rest + "'"));
      }
      requirements.add(requirement(term));
      more = !term.group("comma").isEmpty();
      term.region(term.end(), text.length());
    }
    return new LabelSelector(List.copyOf(requirements));
  }

  private static Requirement requirement(Matcher term) {
    boolean absent = term.group("absent") != null;
    String key = absent ? term.group("absent") : term.group("key");
    requireNone(NameRules.qualifiedName(key), key);
    if (term.group("set") != null) {
      List<String> values =
          Stream.of(term.group("values").split(",", -1)).map(String::strip).toList();
      values.forEach(value -> requireNone(NameRules.labelValue(value), value));
      return new Requirement(key, Operator.ofText(term.group("set")), values);
    }
    if (term.group("compare") == null) {
      return new Requirement(key, absent ? Operator.DOES_NOT_EXIST : Operator.EXISTS, List.of());
    }
    Operator operator = Operator.ofText(term.group("compare"));
    String value = term.group("value");
    boolean number = operator == Operator.GREATER || operator == Operator.LESS;
    requireNone(
        number && !NUMBER.matcher(value).matches()
            ? List.of("the value must be an integer")
            : NameRules.labelValue(value),
        value);
    return new Requirement(key, operator, List.of(value));
  }

  private static void requireNone(List<String> complaints, String text) {
    if (!complaints.isEmpty()) {
      throw new IllegalArgumentException(
          "unable to parse requirement: Invalid value: \"%s\": %s"
              .formatted(text, String.join("; ", complaints)));
    }
  }

  /**
   * From {@code matchLabels} and {@code matchExpressions}; {@link #EVERYTHING} for null. An unknown
   * operator matches nothing.
   */
  public static LabelSelector of(@Nullable Object tree) {
    var requirements = new ArrayList<Requirement>();
    Trees.map(tree, "matchLabels")
        .forEach((key, value) ->
            requirements.add(
                new Requirement(key, Operator.EQUALS, List.of(Trees.textOrEmpty(value)))));
    for (Object expression : Trees.list(tree, "matchExpressions")) {
      requirements.add(
          new Requirement(
              Trees.text(expression, "key"),
              Operator.of(Trees.text(expression, "operator")),
              Trees.list(expression, "values").stream().map(Trees::textOrEmpty).toList()));
    }
    return requirements.isEmpty() ? EVERYTHING : new LabelSelector(List.copyOf(requirements));
  }

  public boolean matches(Map<String, String> labels) {
    for (Requirement requirement : requirements) {
      if (!requirement.holds(labels)) {
        return false;
      }
    }
    return true;
  }

  public boolean matchesEverything() {
    return requirements.isEmpty();
  }

  /** The text form; by key. Empty if everything matches. */
  @Override
  public String toString() {
    return requirements.stream()
        .sorted(Comparator.comparing(Requirement::key))
        .map(Requirement::toString)
        .collect(Collectors.joining(","));
  }
}
