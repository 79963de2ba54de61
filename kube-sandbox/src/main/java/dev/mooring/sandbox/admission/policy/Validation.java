package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.AdmissionVariables;
import dev.mooring.sandbox.admission.match.LazyExpression;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.HashMap;
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
  /** Longer messages of expressions are not used (apiserver {@code pkg/apis/cel/config.go}). */
  private static final int MESSAGE_MAX = 5 * 1024;

  /** What a validation says about a write. */
  sealed interface Outcome {
    record Holds() implements Outcome {}

    record Violated(String message, String reason) implements Outcome {}

    /** The expression had no value; the failure policy decides. */
    record Undecided(String message) implements Outcome {}
  }

  static Validation of(Object tree, PolicySpec spec) {
    String reason = Trees.text(tree, "reason");
    return new Validation(
        new LazyExpression(
            Trees.text(tree, "expression"), spec.environment(), CelExpression.Result.CONDITION),
        Trees.text(tree, "message").strip(),
        Optional.of(Trees.text(tree, "messageExpression"))
            .filter(source -> !source.isBlank())
            .map(source ->
                new LazyExpression(
                    source, spec.messageEnvironment(), CelExpression.Result.MESSAGE)),
        reason.isEmpty() ? "Invalid" : reason);
  }

  /** The values without the authorizer, and variables that are computed without it. */
  static Map<String, Object> messageValues(PolicySpec spec, Map<String, Object> values) {
    var without = new HashMap<>(values);
    without.remove(AdmissionVariables.AUTHORIZER);
    without.remove(AdmissionVariables.REQUEST_RESOURCE);
    return spec.variables().values(without);
  }

  Outcome evaluate(Map<String, ?> variables, Map<String, ?> messageVariables) {
    try {
      return Boolean.TRUE.equals(condition.evaluate(variables))
          ? new Outcome.Holds()
          : new Outcome.Violated(explanation(messageVariables), reason);
    } catch (EvaluationFailed e) {
      return new Outcome.Undecided(String.valueOf(e.getMessage()));
    }
  }

  private String explanation(Map<String, ?> variables) {
    if (messageExpression.isPresent()) {
      try {
        if (messageExpression.get().evaluateUnnamed(variables) instanceof String text
            && !text.isBlank()
            && text.length() <= MESSAGE_MAX
            && !text.strip().contains("\n")) {
          return text.strip();
        }
      } catch (EvaluationFailed | InvalidExpression useTheFixedOne) {
        return fixed();
      }
    }
    return fixed();
  }

  private String fixed() {
    return message.isEmpty() ? "failed expression: " + condition.source().strip() : message;
  }
}
