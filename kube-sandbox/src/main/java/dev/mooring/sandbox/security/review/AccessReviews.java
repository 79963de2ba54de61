package dev.mooring.sandbox.security.review;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a user may do something: {@code SubjectAccessReview} and its kin of {@code
 * authorization.k8s.io/v1}. A denial is an answer, never a failure. What a review has to keep is in
 * kubernetes/pkg/apis/authorization/validation.
 */
record AccessReviews(Authorizer authorizer) {
  private static final String GROUP = "authorization.k8s.io";
  private static final String RESOURCE = "spec.resourceAttributes";
  private static final String URL = "spec.nonResourceAttributes";

  KubeObject self(String name, KubeObject review, WriteContext context) {
    requireValid(review, new FieldErrors());
    return answered(review, context.user(), context);
  }

  KubeObject subject(String name, KubeObject review, WriteContext context) {
    requireValid(review, ofSubject(review));
    return answered(review, subjectOf(review), context);
  }

  /** Asks about one namespace, that of the request. */
  KubeObject local(String name, KubeObject review, WriteContext context) {
    FieldErrors errors = ofSubject(review);
    String asked = review.text("spec", "resourceAttributes", "namespace");
    if (review.at("spec", "resourceAttributes") != null && !asked.equals(review.namespace())) {
      errors.invalid(RESOURCE + ".namespace", asked, "must match metadata.namespace");
    }
    Object url = review.at("spec", "nonResourceAttributes");
    if (url != null) {
      errors.invalid(URL, asGo(url), "disallowed on this kind of request");
    }
    requireValid(review, errors);
    return answered(review, subjectOf(review), context);
  }

  private static FieldErrors ofSubject(KubeObject review) {
    var errors = new FieldErrors();
    if (review.text("spec", "user").isEmpty() && review.list("spec", "groups").isEmpty()) {
      errors.invalid("spec.user", "", "at least one of user or group must be specified");
    }
    return errors;
  }

  /** Kubernetes forgets the kind of a review before it complains. */
  private static void requireValid(KubeObject review, FieldErrors errors) {
    boolean resource = review.at("spec", "resourceAttributes") != null;
    Object url = review.at("spec", "nonResourceAttributes");
    if (resource && url != null) {
      errors.invalid(URL, asGo(url), "cannot be specified in combination with resourceAttributes");
    }
    if (!resource && url == null) {
      errors.invalid(
          RESOURCE,
          null,
          "exactly one of nonResourceAttributes or resourceAttributes must be specified");
    }
    KubeObject rest = review.without("metadata", "managedFields").without("metadata", "namespace");
    if (!rest.map("metadata").isEmpty()) {
      errors.invalid("metadata", review.map("metadata"), "must be empty");
    }
    if (!errors.isEmpty()) {
      throw ApiFailure.invalid(GROUP, "", "", errors);
    }
  }

  /** Its names for JSON are unknown to Go where it complains. */
  private static Map<String, Object> asGo(Object url) {
    return Trees.ordered("Path", Trees.text(url, "path"), "Verb", Trees.text(url, "verb"));
  }

  private KubeObject answered(KubeObject review, UserInfo user, WriteContext context) {
    Decision decision =
        authorizer.authorize(
            new AuthorizationAttributes(
                user, Optional.of(context.cluster()), verb(review), target(review)));
    Map<String, Object> status =
        Trees.orderedNonEmpty(
            "allowed", decision.allowed(),
            "denied", decision instanceof Decision.Denied ? true : null,
            "reason", decision.reason());
    return review.with(status, "status");
  }

  private static UserInfo subjectOf(KubeObject review) {
    var extra = new LinkedHashMap<String, List<String>>();
    review.map("spec", "extra").forEach((key, values) -> extra.put(key, Trees.texts(values)));
    return new UserInfo(
        review.text("spec", "user"),
        review.text("spec", "uid"),
        Trees.texts(review.at("spec", "groups")),
        extra);
  }

  private static String verb(KubeObject review) {
    return review.at("spec", "resourceAttributes") == null
        ? review.text("spec", "nonResourceAttributes", "verb")
        : review.text("spec", "resourceAttributes", "verb");
  }

  private static AuthorizationAttributes.Target target(KubeObject review) {
    Object attributes = review.at("spec", "resourceAttributes");
    if (attributes == null) {
      return new AuthorizationAttributes.Url(review.text("spec", "nonResourceAttributes", "path"));
    }
    return new AuthorizationAttributes.Resource(
        Trees.text(attributes, "group"),
        Trees.text(attributes, "version"),
        Trees.text(attributes, "resource"),
        Trees.text(attributes, "subresource"),
        Trees.text(attributes, "namespace"),
        Trees.text(attributes, "name"));
  }
}
