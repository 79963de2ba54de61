package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.AdmissionVariables;
import dev.mooring.sandbox.admission.match.ConditionValidation;
import dev.mooring.sandbox.admission.match.RuleValidation;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.NameRules;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The rules that one webhook of a configuration has to keep, in the order of Kubernetes' checks.
 */
final class WebhookValidation {
  private static final String URL_FORM = "; desired format: https://host[/path]";
  private static final int NAME_SEGMENTS_MIN = 3;
  private static final long TIMEOUT_SECONDS_MAX = 30;
  private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");

  private WebhookValidation() {}

  static List<FieldError> validate(Object webhook, String path, ReviewCodec.Kind kind) {
    var errors = new ArrayList<FieldError>();
    validateName(Trees.text(webhook, "name"), path + ".name", errors);
    List<Object> rules = Trees.listOrEmpty(Trees.at(webhook, "rules"));
    for (int i = 0; i < rules.size(); i++) {
      RuleValidation.validate(rules.get(i), path + ".rules[" + i + "]", errors);
    }
    oneOf(webhook, path, "failurePolicy", List.of("Fail", "Ignore"), errors);
    oneOf(webhook, path, "matchPolicy", List.of("Equivalent", "Exact"), errors);
    if (Trees.text(webhook, "sideEffects").isEmpty()) {
      errors.add(
          FieldError.required(path + ".sideEffects", "must specify one of None, NoneOnDryRun"));
    } else {
      oneOf(webhook, path, "sideEffects", List.of("None", "NoneOnDryRun"), errors);
    }
    if (Trees.at(webhook, "timeoutSeconds") instanceof Long seconds
        && (seconds < 1 || seconds > TIMEOUT_SECONDS_MAX)) {
      errors.add(
          FieldError.invalid(
              path + ".timeoutSeconds",
              seconds,
              "the timeout value must be between 1 and 30 seconds"));
    }
    validateClientConfig(webhook, path + ".clientConfig", errors);
    ConditionValidation.validate(
        Trees.listOrEmpty(Trees.at(webhook, "matchConditions")),
        AdmissionVariables.CONDITION,
        path + ".matchConditions",
        errors);
    if (kind == ReviewCodec.Kind.MUTATING) {
      oneOf(webhook, path, "reinvocationPolicy", List.of("IfNeeded", "Never"), errors);
    }
    validateReviewVersions(
        Trees.texts(Trees.at(webhook, "admissionReviewVersions")),
        path + ".admissionReviewVersions",
        errors);
    return errors;
  }

  private static void validateName(String name, String path, List<FieldError> errors) {
    if (name.isEmpty()) {
      errors.add(FieldError.required(path, ""));
      return;
    }
    List<String> complaints = NameRules.subdomain(name);
    if (!complaints.isEmpty()) {
      errors.add(FieldError.invalid(path, name, String.join(",", complaints)));
    } else if (name.split("\\.").length < NAME_SEGMENTS_MIN) {
      errors.add(
          FieldError.invalid(
              path, name, "should be a domain with at least three segments separated by dots"));
    }
  }

  private static void validateClientConfig(Object webhook, String path, List<FieldError> errors) {
    boolean url = Trees.at(webhook, "clientConfig", "url") != null;
    boolean service = Trees.at(webhook, "clientConfig", "service") != null;
    if (url == service) {
      errors.add(FieldError.required(path, "exactly one of url or service is required"));
    } else if (service) {
      errors.add(
          FieldError.forbidden(path + ".service", "webhooks are reached by URL here, not service"));
    } else {
      validateUrl(Trees.text(webhook, "clientConfig", "url"), path + ".url", errors);
    }
  }

  private static void validateUrl(String text, String path, List<FieldError> errors) {
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      errors.add(
          FieldError.required(
              path,
              "url must be a valid URL: parse \"" + text + "\": " + e.getReason() + URL_FORM));
      return;
    }
    if (!"https".equals(url.getScheme())) {
      errors.add(
          FieldError.invalid(
              path,
              url.getScheme() == null ? "" : url.getScheme(),
              "'https' is the only allowed URL scheme" + URL_FORM));
    }
    if (url.getHost() == null) {
      errors.add(FieldError.invalid(path, "", "host must be specified" + URL_FORM));
    }
    if (url.getUserInfo() != null) {
      errors.add(
          FieldError.invalid(
              path, url.getUserInfo(), "user information is not permitted in the URL"));
    }
    if (url.getFragment() != null) {
      errors.add(
          FieldError.invalid(path, url.getFragment(), "fragments are not permitted in the URL"));
    }
    if (url.getQuery() != null) {
      errors.add(
          FieldError.invalid(
              path, url.getQuery(), "query parameters are not permitted in the URL"));
    }
  }

  private static void validateReviewVersions(
      List<String> versions, String path, List<FieldError> errors) {
    String known = String.join(", ", REVIEW_VERSIONS);
    if (versions.isEmpty()) {
      errors.add(FieldError.required(path, "must specify one of " + known));
      return;
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < versions.size(); i++) {
      if (!seen.add(versions.get(i))) {
        errors.add(FieldError.invalid(path + "[" + i + "]", versions.get(i), "duplicate version"));
      }
    }
    if (versions.stream().noneMatch(REVIEW_VERSIONS::contains)) {
      errors.add(FieldError.invalid(path, versions, "must include at least one of " + known));
    }
  }

  private static void oneOf(
      Object webhook, String path, String field, List<String> allowed, List<FieldError> errors) {
    if (Trees.at(webhook, field) instanceof String given && !allowed.contains(given)) {
      errors.add(FieldError.notSupported(path + "." + field, given, allowed));
    }
  }
}
