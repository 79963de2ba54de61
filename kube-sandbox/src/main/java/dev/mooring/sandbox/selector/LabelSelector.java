package dev.mooring.sandbox.selector;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A {@code metav1.LabelSelector}, compiled. All requirements have to hold; the empty selector
 * matches everything.
 */
public final class LabelSelector {
  /** Matches every set of labels. */
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  private final List<Requirement> requirements;

  private record Requirement(String key, Operator operator, List<String> values) {
    boolean holds(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case EQUALS, IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
        case UNKNOWN -> false;
      };
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
    UNKNOWN;

    static Operator of(String name) {
      return switch (name) {
        case "In" -> IN;
        case "NotIn" -> NOT_IN;
        case "Exists" -> EXISTS;
        case "DoesNotExist" -> DOES_NOT_EXIST;
        default -> UNKNOWN;
      };
    }
  }

  private LabelSelector(List<Requirement> requirements) {
    this.requirements = requirements;
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

  /** The text form that {@link LabelQuery} parses; by key. Empty if everything matches. */
  @Override
  public String toString() {
    return requirements.stream()
        .sorted(Comparator.comparing(Requirement::key))
        .map(Requirement::toString)
        .collect(Collectors.joining(","));
  }
}
