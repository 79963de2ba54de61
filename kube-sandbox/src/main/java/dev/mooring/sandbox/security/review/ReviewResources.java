package dev.mooring.sandbox.security.review;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.FixedCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.builtin.typed.GoTypes;
import dev.mooring.sandbox.builtin.typed.TypedDecoder;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.rbac.PolicyRule;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.token.TokenAuthenticator;
import dev.mooring.sandbox.security.user.UserInfo;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The resources of {@code authentication.k8s.io/v1} and {@code authorization.k8s.io/v1}, served in
 * every logical cluster: a POST asks, nothing is stored.
 */
public final class ReviewResources extends FixedCatalog {
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String AUTHORIZATION = "authorization.k8s.io";

  private final RbacPolicies policies;
  private final TokenAuthenticator authenticator;
  private final InstantSource clock;

  /**
   * @param types with those of the reviews
   */
  public ReviewResources(
      GoTypes types,
      Authorizer authorizer,
      RbacPolicies policies,
      TokenAuthenticator authenticator,
      InstantSource clock) {
    this.policies = policies;
    this.authenticator = authenticator;
    this.clock = clock;
    var reviews = new AccessReviews(authorizer);
    define(types, AUTHENTICATION, "SelfSubjectReview", Scope.CLUSTER, this::selfReview);
    define(types, AUTHENTICATION, "TokenReview", Scope.CLUSTER, this::tokenReview);
    define(types, AUTHORIZATION, "LocalSubjectAccessReview", Scope.NAMESPACED, reviews::local);
    define(types, AUTHORIZATION, "SelfSubjectAccessReview", Scope.CLUSTER, reviews::self);
    define(types, AUTHORIZATION, "SelfSubjectRulesReview", Scope.CLUSTER, this::rulesReview);
    define(types, AUTHORIZATION, "SubjectAccessReview", Scope.CLUSTER, reviews::subject);
  }

  private void define(
      GoTypes types,
      String group,
      String kind,
      Scope scope,
      ResourceDefinition.Computation handler) {
    add(definition(types, group, kind, scope, handler));
  }

  /** Something that is posted and answered, and not stored. */
  static ResourceDefinition.Builder definition(
      GoTypes types,
      String group,
      String kind,
      Scope scope,
      ResourceDefinition.Computation handler) {
    String singular = kind.toLowerCase(Locale.ROOT);
    var type = new ResourceType(group, "v1", singular + "s");
    var names = new ResourceNames(singular + "s", singular, kind, kind, List.of(), List.of());
    Map<String, Object> schema = types.schema(kind);
    return ResourceDefinition.define(type, names, scope)
        .schema(schema)
        .decoder((body, context) -> TypedDecoder.decode(body, schema, context))
        .computed(handler);
  }

  private KubeObject selfReview(String name, KubeObject review, WriteContext context) {
    return review
        .with(
            Map.of("creationTimestamp", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString()),
            "metadata")
        .with(context.user().toTree(), "status", "userInfo");
  }

  private KubeObject tokenReview(String name, KubeObject review, WriteContext context) {
    if (review.text("spec", "token").isEmpty()) {
      throw ApiFailure.badRequest("token is required for TokenReview in authentication");
    }
    List<String> audiences = Trees.texts(review.at("spec", "audiences"));
    var status = new LinkedHashMap<>(review.map("status"));
    status.remove("authenticated");
    switch (authenticator.review(bearer(review.text("spec", "token")), audiences)) {
      case TokenAuthenticator.Outcome.Valid(UserInfo user, List<String> good) -> {
        status.put("authenticated", true);
        status.put("user", user.toTree());
        status.put("audiences", good);
      }
      case TokenAuthenticator.Outcome.Invalid(String message) -> status.put("error", message);
    }
    return review.with(status, "status");
  }

  /** As if it stood behind the word Bearer in a header: what follows a space is not read. */
  private static String bearer(String token) {
    return token.split(" ", 2)[0];
  }

  private KubeObject rulesReview(String name, KubeObject review, WriteContext context) {
    if (review.text("spec", "namespace").isEmpty()) {
      throw ApiFailure.badRequest("no namespace on request");
    }
    var resources = new ArrayList<Map<String, Object>>();
    var urls = new ArrayList<Map<String, Object>>();
    for (PolicyRule rule :
        policies.rulesFor(context.cluster(), context.user(), review.text("spec", "namespace"))) {
      if (!rule.resources().isEmpty()) {
        resources.add(
            Trees.orderedNonEmpty(
                "verbs", rule.verbs(),
                "apiGroups", rule.groups(),
                "resources", rule.resources(),
                "resourceNames", rule.resourceNames()));
      }
      if (!rule.urls().isEmpty()) {
        urls.add(Trees.ordered("verbs", rule.verbs(), "nonResourceURLs", rule.urls()));
      }
    }
    var status =
        Trees.ordered(
            "resourceRules", resources,
            "nonResourceRules", urls,
            "incomplete", false);
    return KubeObject.of(
            Map.of("kind", review.kind(), "apiVersion", review.apiVersion(), "metadata", Map.of()))
        .with(Map.of(), "spec")
        .with(status, "status");
  }
}
