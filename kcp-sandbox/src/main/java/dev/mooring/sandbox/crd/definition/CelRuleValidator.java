package dev.mooring.sandbox.crd.definition;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.schema.CompiledSchema;
import dev.mooring.sandbox.schema.model.RuleSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the expressions inside a schema can be compiled. */
final class CelRuleValidator {
  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  private CelRuleValidator() {}

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
  }

  /** The rules of a schema that do not compile against it. */
  static List<FieldError> uncompilable(String path, Map<String, Object> schema) {
    return CompiledSchema.of(schema).invalidRules().stream()
        .map(rule ->
            FieldError.invalid(
                path + rule.path() + ".rule", asInternalType(rule.source()), rule.message()))
        .toList();
  }

  /** Kubernetes shows the whole rule, spelled as its internal type. */
  private static Map<String, Object> asInternalType(RuleSource rule) {
    var shown = new LinkedHashMap<String, Object>();
    shown.put("Rule", rule.rule());
    shown.put("Message", rule.message());
    shown.put("MessageExpression", rule.messageExpression());
    shown.put("FieldPath", rule.fieldPath());
    return shown;
  }
}
