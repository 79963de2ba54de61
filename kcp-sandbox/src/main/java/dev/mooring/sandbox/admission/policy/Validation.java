package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.LazyExpression;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import java.util.Map;
import java.util.Optional;

/**
 * One of a policy's {@code validations}.
 *
 * @param messageExpression empty if there is none
 * @param reason of the refusal's status
 */
record Validation(
    LazyExpression condition,
    String message,
    Optional<LazyExpression> messageExpression,
    String reason) {
  /** What a validation says about a write. */
  sealed interface Outcome {
    record Holds() implements Outcome {}

    record Violated(String message, String reason) implements Outcome {}

    /** The expression had no value; the failure policy decides. */
    record Undecided(String message) implements Outcome {}
  }

  static Validation of(Object tree) {
    String reason = Trees.text(tree, "reason");
    return new Validation(
        new LazyExpression(
            Trees.text(tree, "expression").strip(),
            PolicyVariables.NAMES,
            CelExpression.Result.BOOL),
        Trees.text(tree, "message").strip(),
        Optional.of(Trees.text(tree, "messageExpression"))
            .filter(source -> !source.isBlank())
            .map(source ->
                new LazyExpression(source, PolicyVariables.NAMES, CelExpression.Result.STRING)),
        reason.isEmpty() ? "Invalid" : reason);
  }

  Outcome evaluate(Map<String, ?> variables) {
    try {
      return Boolean.TRUE.equals(condition.evaluate(variables))
          ? new Outcome.Holds()
          : new Outcome.Violated(explanation(variables), reason);
    } catch (EvaluationFailed e) {
      return new Outcome.Undecided(String.valueOf(e.getMessage()));
    }
  }

  private String explanation(Map<String, ?> variables) {
    if (messageExpression.isPresent()) {
      try {
        if (messageExpression.get().evaluate(variables) instanceof String text
            && !text.isBlank()
            && !text.contains("\n")) {
          return text.strip();
        }
      } catch (EvaluationFailed useTheFixedOne) {
        return fixed();
      }
    }
    return fixed();
  }

  private String fixed() {
    return message.isEmpty() ? "failed expression: " + condition.source() : message;
  }
}
