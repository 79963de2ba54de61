package dev.mooring.sandbox.security.review;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Whether a user may do something: {@code SubjectAccessReview} and its kin of {@code
 * authorization.k8s.io/v1}. A denial is an answer, never a failure.
 */
record AccessReviews(Authorizer authorizer) {
  private static final String GROUP = "authorization.k8s.io";

  KubeObject self(String name, KubeObject review, WriteContext context) {
    requireValid(AccessReviewRules.ofSelf(review));
    return answered(review, context.user(), context);
  }

  KubeObject subject(String name, KubeObject review, WriteContext context) {
    requireValid(AccessReviewRules.ofSubject(review));
    return answered(review, subjectOf(review), context);
  }

  /** Asks about one namespace, that of the request. */
  KubeObject local(String name, KubeObject review, WriteContext context) {
    requireValid(AccessReviewRules.ofLocal(review));
    return answered(review, subjectOf(review), context);
  }

  /** Kubernetes forgets the kind of a review before it complains. */
  private static void requireValid(List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw ApiFailure.invalid(GROUP, "", "", errors);
    }
  }

  private KubeObject answered(KubeObject review, UserInfo user, WriteContext context) {
    Decision decision =
        authorizer.authorize(
            new AuthorizationAttributes(
                user, Optional.of(context.cluster()), verb(review), target(review)));
    var status = new LinkedHashMap<String, Object>();
    status.put("allowed", decision.allowed());
    if (decision instanceof Decision.Denied) {
      status.put("denied", true);
    }
    if (!decision.reason().isEmpty()) {
      status.put("reason", decision.reason());
    }
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
    if (review.at("spec", "resourceAttributes") == null) {
      return new AuthorizationAttributes.Url(review.text("spec", "nonResourceAttributes", "path"));
    }
    Object attributes = review.at("spec", "resourceAttributes");
    return new AuthorizationAttributes.Resource(
        Trees.text(attributes, "group"),
        Trees.text(attributes, "version"),
        Trees.text(attributes, "resource"),
        Trees.text(attributes, "subresource"),
        Trees.text(attributes, "namespace"),
        Trees.text(attributes, "name"));
  }
}
