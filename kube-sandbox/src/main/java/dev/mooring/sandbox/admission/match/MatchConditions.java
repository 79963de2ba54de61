package dev.mooring.sandbox.admission.match;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code matchConditions} of a webhook or policy: it is asked only if all of them hold.
 * Compiled at the first write they are asked about, once.
 */
public final class MatchConditions {
  private final List<LazyExpression> conditions;

  /** What the conditions say about a write. */
  public sealed interface Outcome {
    record Matches() implements Outcome {}

    record Differs() implements Outcome {}

    /** No condition was false, and these had no value. */
    record Undecided(String problem) implements Outcome {}
  }

  private MatchConditions(List<LazyExpression> conditions) {
    this.conditions = conditions;
  }

  /**
   * @param environment what the conditions may use
   */
  public static MatchConditions of(@Nullable Object tree, CelEnvironment environment) {
    return new MatchConditions(
        Trees.listOrEmpty(tree).stream()
            .map(condition ->
                new LazyExpression(
                    Trees.text(condition, "expression").strip(),
                    environment,
                    CelExpression.Result.CONDITION))
            .toList());
  }

  public boolean isEmpty() {
    return conditions.isEmpty();
  }

  /**
   * One false condition decides, even if others fail.
   *
   * @param variables all that the conditions may use, as CEL values
   */
  public Outcome evaluate(Map<String, ?> variables) {
    var problems = new ArrayList<String>();
    for (LazyExpression condition : conditions) {
      try {
        if (!Boolean.TRUE.equals(condition.evaluate(variables))) {
          return new Outcome.Differs();
        }
      } catch (EvaluationFailed e) {
        problems.add(e.getMessage());
      }
    }
    return problems.isEmpty()
        ? new Outcome.Matches()
        : new Outcome.Undecided(GoText.aggregate(problems));
  }
}
