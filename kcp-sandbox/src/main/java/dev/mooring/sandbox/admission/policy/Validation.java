package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.Map;
import java.util.Optional;

/**
 * One of a policy's {@code validations}, compiled.
 *
 * @param condition empty if it does not compile; then {@code problem} says why
 * @param messageExpression empty if there is none
 * @param reason of the refusal's status
 */
record Validation(
    String source,
    Optional<CelExpression> condition,
    String problem,
    String message,
    Optional<CelExpression> messageExpression,
    String reason) {
  /** What a validation says about a write. */
  sealed interface Outcome {
    record Holds() implements Outcome {}

    record Violated(String message, String reason) implements Outcome {}

    /** The expression had no value; the failure policy decides. */
    record Undecided(String message) implements Outcome {}
  }

  static Validation of(Object tree) {
    String source = text(tree, "expression").strip();
    Optional<CelExpression> condition = Optional.empty();
    String problem = "";
    try {
      condition =
          Optional.of(
              CelExpression.compile(source, PolicyVariables.NAMES, CelExpression.Result.BOOL));
    } catch (InvalidExpression e) {
      problem = "expression '%s' does not compile: %s".formatted(source, e.getMessage());
    }
    String reason = text(tree, "reason");
    return new Validation(
        source,
        condition,
        problem,
        text(tree, "message").strip(),
        messageExpression(text(tree, "messageExpression")),
        reason.isEmpty() ? "Invalid" : reason);
  }

  private static Optional<CelExpression> messageExpression(String source) {
    if (source.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          CelExpression.compile(source, PolicyVariables.NAMES, CelExpression.Result.STRING));
    } catch (InvalidExpression stored) {
      // Refused when written by way of validation; one that got here otherwise is not used.
      return Optional.empty();
    }
  }

  Outcome evaluate(Map<String, ?> variables) {
    if (condition.isEmpty()) {
      return new Outcome.Undecided(problem);
    }
    try {
      return Boolean.TRUE.equals(condition.get().evaluate(variables))
          ? new Outcome.Holds()
          : new Outcome.Violated(explanation(variables), reason);
    } catch (EvaluationFailed e) {
      return new Outcome.Undecided(
          "expression '%s' resulted in error: %s".formatted(source, e.getMessage()));
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
    return message.isEmpty() ? "failed expression: " + source : message;
  }

  private static String text(Object tree, String field) {
    return Trees.textOrEmpty(Trees.at(tree, field));
  }
}
