package dev.mooring.sandbox.crd.definition;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import dev.mooring.sandbox.schema.CompiledSchema;
import dev.mooring.sandbox.schema.model.RuleSource;
import dev.mooring.sandbox.schema.rule.CelRule;
import java.util.ArrayList;
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
      String path, Map<String, Object> rule, Map<String, Object> schema, List<FieldError> errors) {
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
    if (rule.get("fieldPath") instanceof String fieldPath
        && !fieldPath.isEmpty()
        && !leadsSomewhere(fieldPath, schema)) {
      errors.add(FieldError.invalid(path + ".fieldPath", fieldPath, "must be a valid path"));
    }
  }

  private static final Pattern FIELD_STEP =
      Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_-]*)|\\['([^']+)'\\]");

  /** Whether a rule's fieldPath names a field below the schema. */
  private static boolean leadsSomewhere(String fieldPath, Map<String, Object> schema) {
    var steps = FIELD_STEP.matcher(fieldPath);
    Map<String, Object> here = schema;
    int end = 0;
    while (steps.find() && steps.start() == end) {
      end = steps.end();
      String step = steps.group(1) == null ? steps.group(2) : steps.group(1);
      Object next = Trees.at(here, "properties", step);
      here = Trees.mapOrEmpty(next == null ? here.get("additionalProperties") : next);
      if (next == null && here.isEmpty()) {
        return false;
      }
    }
    return end == fieldPath.length();
  }

  /** The rules of a schema that do not compile against it, or that cost too much. */
  static List<FieldError> problems(String path, Map<String, Object> schema) {
    var errors = new ArrayList<FieldError>();
    var total = new TotalCost();
    for (CelRule rule : CompiledSchema.of(schema).rules()) {
      String here = path + rule.path();
      try {
        observe("estimated rule cost", rule.cost(), here + ".rule", total, errors);
      } catch (InvalidExpression e) {
        errors.add(invalid(here + ".rule", rule.source(), String.valueOf(e.getMessage())));
      }
      try {
        observe(
            "estimated messageExpression cost",
            rule.messageCost(),
            here + ".messageExpression",
            total,
            errors);
      } catch (InvalidExpression e) {
        String message = String.valueOf(e.getMessage());
        errors.add(
            invalid(
                here + ".messageExpression",
                rule.source(),
                message.startsWith("compilation failed")
                    ? "messageExpression " + message
                    : message));
      }
    }
    errors.addAll(total.errors(path));
    return errors;
  }

  private static void observe(
      String what, long cost, String path, TotalCost total, List<FieldError> errors) {
    if (cost > COST_MAX) {
      errors.add(FieldError.forbidden(path, tooMuch(what, cost, COST_MAX)));
    }
    total.add(path, cost);
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

  /** What all rules of a schema cost, and which of them cost the most. */
  private static final class TotalCost {
    private static final int SHOWN_MAX = 4;

    private final List<Map.Entry<String, Long>> expensive = new ArrayList<>();
    private long sum;

    void add(String path, long cost) {
      sum = sum > Long.MAX_VALUE - cost ? Long.MAX_VALUE : sum + cost;
      if (cost >= TOTAL_MAX / 100) {
        expensive.add(Map.entry(path, cost));
      }
    }

    List<FieldError> errors(String path) {
      var errors = new ArrayList<FieldError>();
      if (sum <= TOTAL_MAX) {
        return errors;
      }
      expensive.stream()
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(SHOWN_MAX)
          .forEach(rule ->
              errors.add(
                  FieldError.forbidden(
                      rule.getKey(),
                      "contributed to estimated rule cost total exceeding cost limit for entire"
                          + " OpenAPIv3 schema")));
      errors.add(
          FieldError.forbidden(
              path,
              tooMuch(
                  "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                  sum,
                  TOTAL_MAX)));
      return errors;
    }
  }

  /** Kubernetes shows the whole rule, spelled as its internal type. */
  private static FieldError invalid(String path, RuleSource rule, String message) {
    String reason =
        switch (rule.reason()) {
          case INVALID -> "null";
          case FORBIDDEN -> "\"FieldValueForbidden\"";
          case REQUIRED -> "\"FieldValueRequired\"";
          case DUPLICATE -> "\"FieldValueDuplicate\"";
        };
    String oldSelf =
        switch (rule.oldSelf()) {
          case VALUE -> "null";
          case OPTIONAL -> "true";
        };
    String shown =
        "{\"Rule\":%s,\"Message\":%s,\"MessageExpression\":%s,\"Reason\":%s,\"FieldPath\":%s,\"OptionalOldSelf\":%s}"
            .formatted(
                GoText.json(rule.rule()),
                GoText.json(rule.message()),
                GoText.json(rule.messageExpression()),
                reason,
                GoText.json(rule.fieldPath()),
                oldSelf);
    return new FieldError(
        "FieldValueInvalid", path, "Invalid value: %s: %s".formatted(shown, message));
  }
}
