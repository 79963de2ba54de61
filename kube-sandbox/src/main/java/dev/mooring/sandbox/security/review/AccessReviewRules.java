package dev.mooring.sandbox.security.review;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.SelectorRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What access reviews have to keep. After kubernetes/pkg/apis/authorization/validation. */
final class AccessReviewRules {
  private static final String RESOURCE = "spec.resourceAttributes";
  private static final String URL = "spec.nonResourceAttributes";

  private AccessReviewRules() {}

  static List<FieldError> ofSelf(KubeObject review) {
    var errors = new FieldErrors();
    targets(review, errors);
    selectors(review, errors);
    metadata(review, review.map("metadata"), "must be empty", errors);
    return errors;
  }

  static List<FieldError> ofSubject(KubeObject review) {
    var errors = new FieldErrors();
    spec(review, errors);
    metadata(review, review.map("metadata"), "must be empty", errors);
    return errors;
  }

  static List<FieldError> ofLocal(KubeObject review) {
    var errors = new FieldErrors();
    spec(review, errors);
    var metadata = new LinkedHashMap<>(review.map("metadata"));
    metadata.remove("namespace");
    metadata(review, metadata, "must be empty except for namespace", errors);
    String asked = review.text("spec", "resourceAttributes", "namespace");
    if (review.at("spec", "resourceAttributes") != null && !asked.equals(review.namespace())) {
      errors.add(
          FieldError.invalid(RESOURCE + ".namespace", asked, "must match metadata.namespace"));
    }
    if (review.at("spec", "nonResourceAttributes") != null) {
      errors.add(FieldError.invalid(URL, url(review), "disallowed on this kind of request"));
    }
    return errors;
  }

  private static void spec(KubeObject review, FieldErrors errors) {
    targets(review, errors);
    if (review.text("spec", "user").isEmpty() && review.list("spec", "groups").isEmpty()) {
      errors.add(
          FieldError.invalid("spec.user", "", "at least one of user or group must be specified"));
    }
    selectors(review, errors);
  }

  private static void targets(KubeObject review, FieldErrors errors) {
    boolean resource = review.at("spec", "resourceAttributes") != null;
    boolean url = review.at("spec", "nonResourceAttributes") != null;
    if (resource && url) {
      errors.add(
          FieldError.invalid(
              URL, url(review), "cannot be specified in combination with resourceAttributes"));
    }
    if (!resource && !url) {
      errors.add(
          FieldError.invalid(
              RESOURCE,
              null,
              "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
    }
  }

  /** As Go writes what has no names for JSON. */
  private static Map<String, Object> url(KubeObject review) {
    return Trees.ordered(
        "Path", review.text("spec", "nonResourceAttributes", "path"),
        "Verb", review.text("spec", "nonResourceAttributes", "verb"));
  }

  private static void metadata(
      KubeObject review, Map<String, Object> rest, String complaint, FieldErrors errors) {
    boolean empty = rest.keySet().stream().allMatch("managedFields"::equals);
    if (!empty) {
      errors.add(FieldError.invalid("metadata", review.map("metadata"), complaint));
    }
  }

  private static void selectors(KubeObject review, FieldErrors errors) {
    for (String name : List.of("fieldSelector", "labelSelector")) {
      Object selector = review.at("spec", "resourceAttributes", name);
      if (selector != null) {
        selector(selector, RESOURCE + "." + name, errors);
      }
    }
  }

  private static void selector(@Nullable Object selector, String path, FieldErrors errors) {
    String raw = Trees.text(selector, "rawSelector");
    List<Object> requirements = Trees.listOrEmpty(Trees.at(selector, "requirements"));
    if (!raw.isEmpty() && !requirements.isEmpty()) {
      errors.add(
          FieldError.invalid(
              path + ".rawSelector", raw, "may not specified at the same time as requirements"));
    }
    if (raw.isEmpty() && requirements.isEmpty()) {
      errors.add(
          FieldError.required(
              path + ".requirements",
              "when %s is specified, requirements or rawSelector is required".formatted(path)));
    }
    for (int i = 0; i < requirements.size(); i++) {
      SelectorRules.checkKnown(requirements.get(i), path + ".requirements[" + i + "]", errors);
    }
  }
}
