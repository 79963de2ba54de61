package dev.mooring.sandbox.admission.match;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The {@code matchConditions} of a webhook or policy: it is asked only if all of them hold.
 * Compiled at the first write they are asked about, once.
 */
public final class MatchConditions {
  /** What expressions may use; {@code authorizer} is not offered. */
  public static final Set<String> VARIABLES = Set.of("object", "oldObject", "request");

  private final List<Named> conditions;
  private volatile List<Compiled> compiled;

  private record Named(String name, String expression) {}

  private record Compiled(String name, CelExpression expression, String problem) {}

  /** What the conditions say about a write. */
  public sealed interface Outcome {
    record Matches() implements Outcome {}

    record Differs() implements Outcome {}

    /** No condition was false, and these had no value. */
    record Undecided(String problem) implements Outcome {}
  }

  private MatchConditions(List<Named> conditions) {
    this.conditions = conditions;
  }

  public static MatchConditions of(Object tree) {
    return new MatchConditions(
        Trees.listOrEmpty(tree).stream()
            .map(condition ->
                new Named(
                    Trees.textOrEmpty(Trees.at(condition, "name")),
                    Trees.textOrEmpty(Trees.at(condition, "expression"))))
            .toList());
  }

  public boolean isEmpty() {
    return conditions.isEmpty();
  }

  /**
   * One false condition decides, even if others fail.
   *
   * @param variables all of {@link #VARIABLES}, as CEL values
   */
  public Outcome evaluate(Map<String, ?> variables) {
    var problems = new ArrayList<String>();
    for (Compiled condition : compiled()) {
      if (condition.expression() == null) {
        problems.add(condition.problem());
        continue;
      }
      try {
        if (!Boolean.TRUE.equals(condition.expression().evaluate(variables))) {
          return new Outcome.Differs();
        }
      } catch (EvaluationFailed e) {
        problems.add(
            "expression '%s' resulted in error: %s"
                .formatted(condition.expression().source(), e.getMessage()));
      }
    }
    return problems.isEmpty()
        ? new Outcome.Matches()
        : new Outcome.Undecided(String.join(", ", problems));
  }

  private List<Compiled> compiled() {
    List<Compiled> ready = compiled;
    if (ready == null) {
      ready = conditions.stream().map(MatchConditions::compile).toList();
      compiled = ready;
    }
    return ready;
  }

  private static Compiled compile(Named condition) {
    try {
      return new Compiled(
          condition.name(),
          CelExpression.compile(condition.expression(), VARIABLES, CelExpression.Result.BOOL),
          "");
    } catch (InvalidExpression e) {
      return new Compiled(
          condition.name(),
          null,
          "expression '%s' does not compile: %s".formatted(condition.expression(), e.getMessage()));
    }
  }
}
