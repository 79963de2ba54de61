package dev.mooring.sandbox.crd;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.FieldError;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether the expressions inside a schema can be compiled. */
final class ExpressionRules {
  private static final Set<String> VARIABLES = Set.of("self", "oldSelf");

  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  private ExpressionRules() {}

  /** What is wrong with a regular expression; empty if nothing is. */
  static Optional<String> pattern(String pattern) {
    try {
      Pattern.compile(pattern);
      return Optional.empty();
    } catch (PatternSyntaxException e) {
      return Optional.of("must be a valid regular expression, but isn't: " + e.getMessage());
    }
  }

  /** Checks one entry of {@code x-kubernetes-validations}. */
  static void check(String path, Map<String, Object> rule, List<FieldError> errors) {
    String expression = Trees.textOrEmpty(rule.get("rule"));
    String message = Trees.textOrEmpty(rule.get("message"));
    String reason = Trees.textOrEmpty(rule.get("reason"));
    if (expression.isBlank()) {
      errors.add(FieldError.required(path + ".rule", "rule is not specified"));
      return;
    }
    if (!message.isEmpty() && message.isBlank()) {
      errors.add(FieldError.invalid(path + ".message", message, "must be non-empty if specified"));
    } else if (message.strip().contains("\n")) {
      errors.add(FieldError.invalid(path + ".message", message, "must not contain line breaks"));
    } else if (expression.strip().contains("\n") && message.isBlank()) {
      errors.add(
          FieldError.required(
              path + ".message", "message must be specified if rule contains line breaks"));
    }
    if (!reason.isEmpty() && !REASONS.contains(reason)) {
      errors.add(FieldError.notSupported(path + ".reason", reason, REASONS));
    }
    compile(path + ".rule", rule, expression, CelExpression.Result.BOOL, errors);
    String messageExpression = Trees.textOrEmpty(rule.get("messageExpression"));
    if (!messageExpression.isBlank()) {
      compile(
          path + ".messageExpression",
          rule,
          messageExpression,
          CelExpression.Result.STRING,
          errors);
    }
  }

  private static void compile(
      String path,
      Map<String, Object> rule,
      String expression,
      CelExpression.Result result,
      List<FieldError> errors) {
    try {
      CelExpression.compile(expression, VARIABLES, result);
    } catch (InvalidExpression e) {
      errors.add(FieldError.invalid(path, asInternalType(rule), e.getMessage()));
    }
  }

  /** Kubernetes shows the whole rule, spelled as its internal type. */
  private static Map<String, Object> asInternalType(Map<String, Object> rule) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("Rule", Trees.textOrEmpty(rule.get("rule")));
    shown.put("Message", Trees.textOrEmpty(rule.get("message")));
    shown.put("MessageExpression", Trees.textOrEmpty(rule.get("messageExpression")));
    shown.put("Reason", rule.get("reason"));
    shown.put("FieldPath", Trees.textOrEmpty(rule.get("fieldPath")));
    shown.put("OptionalOldSelf", rule.get("optionalOldSelf"));
    return shown;
  }
}
