package dev.mooring.sandbox.crd.definition;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import dev.mooring.sandbox.cel.cost.Range;
import dev.mooring.sandbox.schema.CompiledSchema;
import dev.mooring.sandbox.schema.rule.CelRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether the expressions inside a schema can be compiled. */
final class CelRuleValidator {
  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  /** What all evaluations of one rule on an object may cost. */
  private static final long COST_MAX = 10_000_000;

  /** What all rules of a schema may cost. */
  private static final long TOTAL_MAX = 100_000_000;

  /** Of so many expensive rules a complaint about the total names the paths. */
  private static final int SHOWN_MAX = 4;

  private static final String UNTYPED =
      "Internal error: internal error: failed to construct type information for"
          + " x-kubernetes-validations rules: unable to convert structural schema to CEL"
          + " declarations";

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
  static void check(
      String path, Map<String, Object> rule, Map<String, Object> schema, FieldErrors errors) {
    String expression = Trees.text(rule, "rule");
    String message = Trees.text(rule, "message");
    String reason = Trees.text(rule, "reason");
    if (expression.isBlank()) {
      errors.required(path + ".rule", "rule is not specified");
      return;
    }
    if (!message.isEmpty() && message.isBlank()) {
      errors.invalid(path + ".message", message, "must be non-empty if specified");
    } else if (hasLineBreaks(message.strip())) {
      errors.invalid(path + ".message", message, "must not contain line breaks");
    } else if (hasLineBreaks(expression.strip()) && message.isBlank()) {
      errors.required(path + ".message", "message must be specified if rule contains line breaks");
    }
    String messageExpression = Trees.text(rule, "messageExpression");
    if (!messageExpression.isEmpty() && messageExpression.isBlank()) {
      errors.required(
          path + ".messageExpression", "messageExpression must be non-empty if specified");
    }
    if (!reason.isEmpty() && !REASONS.contains(reason)) {
      errors.notSupported(path + ".reason", reason, REASONS);
    }
    fieldPath(path + ".fieldPath", Trees.text(rule, "fieldPath"), schema, errors);
  }

  private static boolean hasLineBreaks(String text) {
    return text.contains("\n") || text.contains("\r");
  }

  private static void fieldPath(
      String path, String fieldPath, Map<String, Object> schema, FieldErrors errors) {
    if (fieldPath.isEmpty()) {
      return;
    }
    if (fieldPath.isBlank()) {
      errors.invalid(path, fieldPath, "must be non-empty if specified");
    }
    if (hasLineBreaks(fieldPath)) {
      errors.invalid(path, fieldPath, "must not contain line breaks");
    }
    if (FieldPaths.follow(fieldPath, schema, true).isEmpty()) {
      errors.invalid(path, fieldPath, "must be a valid path");
    }
  }

  private static void transition(String root, CelRule rule, FieldErrors errors) {
    boolean usesOld;
    try {
      usesOld = rule.isTransition();
    } catch (InvalidExpression unusable) {
      usesOld = false;
    }
    String here = root + rule.path();
    Boolean optional = rule.source().optionalOldSelf();
    if (usesOld) {
      rule.uncorrelatable()
          .ifPresent(within ->
              errors.invalid(
                  here + ".rule",
                  rule.source().rule(),
                  "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                      + root
                      + within));
    } else if (optional != null) {
      errors.invalid(
          here + ".optionalOldSelf", optional, "may not be set if oldSelf is not used in rule");
    }
  }

  /** The rules of a schema that do not compile against it, or that cost too much. */
  static List<FieldError> problems(String path, Map<String, Object> schema) {
    var errors = new FieldErrors();
    var costs = new LinkedHashMap<String, Long>();
    for (CelRule rule : CompiledSchema.of(schema).rules()) {
      String here = path + rule.path();
      if (rule.schema().type().isEmpty() && !rule.schema().intOrString()) {
        errors.add(new FieldError("InternalError", here.replaceFirst("\\[\\d+]$", ""), UNTYPED));
        continue;
      }
      try {
        observe("estimated rule cost", rule.cost(), here + ".rule", costs, errors);
        message(here + ".messageExpression", rule, costs, errors);
      } catch (InvalidExpression e) {
        errors.invalid(here + ".rule", rule.source().rule(), String.valueOf(e.getMessage()));
      }
      transition(path, rule, errors);
    }
    long total = costs.values().stream().reduce(0L, Range::plus);
    if (total > TOTAL_MAX) {
      costs.entrySet().stream()
          .filter(rule -> rule.getValue() >= TOTAL_MAX / 100)
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(SHOWN_MAX)
          .forEach(rule ->
              errors.forbidden(
                  rule.getKey(),
                  "contributed to estimated rule cost total exceeding cost limit for entire"
                      + " OpenAPIv3 schema"));
      errors.forbidden(
          path,
          tooMuch(
              "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
              total,
              TOTAL_MAX));
    }
    return errors;
  }

  private static void message(
      String path, CelRule rule, Map<String, Long> costs, FieldErrors errors) {
    try {
      observe("estimated messageExpression cost", rule.messageCost(), path, costs, errors);
    } catch (InvalidExpression e) {
      errors.invalid(path, rule.source().messageExpression(), String.valueOf(e.getMessage()));
    }
  }

  private static void observe(
      String what, long cost, String path, Map<String, Long> costs, FieldErrors errors) {
    if (cost > COST_MAX) {
      errors.forbidden(path, tooMuch(what, cost, COST_MAX));
    }
    costs.put(path, cost);
  }

  private static String tooMuch(String what, long cost, long limit) {
    double factor = (double) cost / limit;
    String times =
        factor > 100
            ? "more than 100x"
            : factor < 1.5 ? "%fx".formatted(factor) : "%.1fx".formatted(factor);
    return "%s exceeds budget by factor of %s (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
        .formatted(what, times);
  }
}
