package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.AdmissionVariables;
import dev.mooring.sandbox.admission.match.ConditionValidation;
import dev.mooring.sandbox.admission.match.RuleValidation;
import dev.mooring.sandbox.admission.match.WebhookAddress;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.api.validation.SelectorRules;
import java.util.List;

/**
 * The rules that one webhook of a configuration has to keep, in the order of Kubernetes' checks.
 */
final class WebhookValidation {
  private static final int NAME_SEGMENTS_MIN = 3;
  private static final long TIMEOUT_SECONDS_MAX = 30;

  private WebhookValidation() {}

  static List<FieldError> validate(Object webhook, String path, ReviewCodec.Kind kind) {
    var errors = new FieldErrors();
    validateName(Trees.text(webhook, "name"), path + ".name", errors);
    List<Object> rules = Trees.list(webhook, "rules");
    for (int i = 0; i < rules.size(); i++) {
      RuleValidation.validate(rules.get(i), path + ".rules[" + i + "]", errors);
    }
    oneOf(webhook, path, "failurePolicy", List.of("Fail", "Ignore"), errors);
    oneOf(webhook, path, "matchPolicy", List.of("Equivalent", "Exact"), errors);
    if (Trees.text(webhook, "sideEffects").isEmpty()) {
      errors.required(path + ".sideEffects", "must specify one of None, NoneOnDryRun");
    } else {
      oneOf(webhook, path, "sideEffects", List.of("None", "NoneOnDryRun"), errors);
    }
    if (Trees.at(webhook, "timeoutSeconds") instanceof Long seconds
        && (seconds < 1 || seconds > TIMEOUT_SECONDS_MAX)) {
      errors.invalid(
          path + ".timeoutSeconds", seconds, "the timeout value must be between 1 and 30 seconds");
    }
    for (String selector : List.of("namespaceSelector", "objectSelector")) {
      SelectorRules.check(Trees.at(webhook, selector), path + "." + selector, errors);
    }
    WebhookAddress.check(Trees.at(webhook, "clientConfig"), path + ".clientConfig", errors);
    ConditionValidation.validate(
        Trees.list(webhook, "matchConditions"),
        AdmissionVariables.CONDITION,
        path + ".matchConditions",
        errors);
    if (kind == ReviewCodec.Kind.MUTATING) {
      oneOf(webhook, path, "reinvocationPolicy", List.of("IfNeeded", "Never"), errors);
    }
    WebhookAddress.reviewVersions(
        Trees.texts(Trees.at(webhook, "admissionReviewVersions")),
        path + ".admissionReviewVersions",
        errors,
        "must specify one of v1, v1beta1");
    return errors;
  }

  private static void validateName(String name, String path, FieldErrors errors) {
    if (name.isEmpty()) {
      errors.required(path, "");
      return;
    }
    List<String> complaints = NameRules.subdomain(name);
    if (!complaints.isEmpty()) {
      errors.invalid(path, name, String.join(",", complaints));
    } else if (name.split("\\.").length < NAME_SEGMENTS_MIN) {
      errors.invalid(
          path, name, "should be a domain with at least three segments separated by dots");
    }
  }

  private static void oneOf(
      Object webhook, String path, String field, List<String> allowed, FieldErrors errors) {
    if (Trees.at(webhook, field) instanceof String given && !allowed.contains(given)) {
      errors.notSupported(path + "." + field, given, allowed);
    }
  }
}
