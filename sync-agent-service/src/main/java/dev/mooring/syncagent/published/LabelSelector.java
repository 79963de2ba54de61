package dev.mooring.syncagent.published;

import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@code metav1.LabelSelector}: all requirements hold. Without any, everything matches. */
public record LabelSelector(List<Requirement> requirements) {
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /** How a requirement relates a label to its values. */
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST
  }

  /**
   * One requirement.
   *
   * @param values empty for the two operators about existence
   */
  public record Requirement(String key, Operator operator, List<String> values) {
    public Requirement {
      values = List.copyOf(values);
    }

    boolean matches(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
      };
    }
  }

  public boolean matches(Map<String, String> labels) {
    return requirements.stream().allMatch(requirement -> requirement.matches(labels));
  }

  /**
   * From {@code matchLabels} and {@code matchExpressions}; an absent selector matches everything.
   * Throws {@link InvalidPublishedResource} naming {@code field} for an unknown operator.
   */
  static LabelSelector read(@Nullable Object tree, String field) {
    var requirements = new ArrayList<Requirement>();
    Trees.map(tree, "matchLabels")
        .forEach((key, value) ->
            requirements.add(new Requirement(key, Operator.IN, List.of(Trees.textOrEmpty(value)))));
    for (Object expression : Trees.list(tree, "matchExpressions")) {
      requirements.add(
          new Requirement(
              Trees.text(expression, "key"),
              FieldValues.read(
                  Operator.class,
                  Trees.text(expression, "operator"),
                  field + ": unknown operator "),
              Trees.list(expression, "values").stream().map(Trees::textOrEmpty).toList()));
    }
    return new LabelSelector(requirements);
  }
}
