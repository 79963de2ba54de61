package dev.mooring.sandbox.admission;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.rbac.Escalation;
import dev.mooring.sandbox.security.rbac.PolicyRule;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.rbac.RoleRef;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps users from granting what they do not hold: writes of roles and bindings are refused unless
 * the writer holds the rules, or the verb {@code escalate} (for roles) or {@code bind} (for
 * bindings) on the role. Masters are exempt. After kubernetes/pkg/registry/rbac.
 */
public record RbacEscalationCheck(RbacPolicies policies, Authorizer authorizer)
    implements AdmissionPlugin.Mutating {
  private static final String GROUP = "rbac.authorization.k8s.io";

  @Override
  public String name() {
    return "RbacEscalation";
  }

  @Override
  public KubeObject mutate(
      AdmissionRequest request, Reinvocation reinvocation, Consumer<String> warnings) {
    if (concerns(request)) {
      switch (request.definition().type().resource()) {
        case "roles", "clusterroles" -> checkRole(request);
        case "rolebindings", "clusterrolebindings" -> checkBinding(request);
        default -> {
          // The group has no other resources; if it gets one, it grants nothing.
        }
      }
    }
    return request.object().orElseThrow();
  }

  private static boolean concerns(AdmissionRequest request) {
    return request.definition().type().group().equals(GROUP)
        && request.object().isPresent()
        && (request.operation() == Operation.CREATE || request.operation() == Operation.UPDATE)
        && !request.user().groups().contains(UserInfo.MASTERS)
        && !onlyReleases(request);
  }

  /** The garbage collector takes references and finalizers away without holding anything. */
  private static boolean onlyReleases(AdmissionRequest request) {
    return request
        .previous()
        .filter(previous -> kept(request.object().orElseThrow()).equals(kept(previous)))
        .isPresent();
  }

  private static KubeObject kept(KubeObject object) {
    return object
        .without("metadata", "ownerReferences")
        .without("metadata", "finalizers")
        .without("metadata", "managedFields")
        .without("metadata", "resourceVersion");
  }

  private void checkRole(AdmissionRequest request) {
    KubeObject role = request.object().orElseThrow();
    // A name that is not in the URL does not count.
    String name = request.operation() == Operation.CREATE ? "" : request.name();
    if (may(request, "escalate", request.definition().type().resource(), name)) {
      return;
    }
    requireHeld(request, PolicyRule.listOf(role.at("rules")), Optional.empty());
    boolean aggregates =
        !role.list("aggregationRule", "clusterRoleSelectors").isEmpty()
            || request
                .previous()
                .filter(was -> !was.list("aggregationRule", "clusterRoleSelectors").isEmpty())
                .isPresent();
    if (aggregates) {
      requireHeld(
          request,
          Escalation.FULL_AUTHORITY,
          Optional.of("must have cluster-admin privileges to use the aggregationRule"));
    }
  }

  private void checkBinding(AdmissionRequest request) {
    RoleRef role = RoleRef.of(request.object().orElseThrow());
    String resource =
        switch (role.kind()) {
          case "Role" -> "roles";
          case "ClusterRole" -> "clusterroles";
          case String other ->
              throw ApiFailure.of(
                  500, "", "unsupported role reference kind: \"" + other + "\"", null);
        };
    if (may(request, "bind", resource, role.name())) {
      return;
    }
    // Roles of other workspaces can be bound, but only by those who may bind them.
    List<PolicyRule> granted =
        policies
            .of(request.cluster())
            .ownRulesOf(role, request.namespace())
            .orElseThrow(() -> ApiFailure.notFound(request.definition().type(), role.name()));
    requireHeld(request, granted, Optional.empty());
  }

  private void requireHeld(
      AdmissionRequest request, List<PolicyRule> granted, Optional<String> inOtherWords) {
    List<PolicyRule> held =
        policies.rulesFor(request.cluster(), request.user(), request.namespace());
    Escalation.refusal(request.user(), held, granted)
        .ifPresent(refusal -> {
          throw ApiFailure.forbidden(
              request.definition().type(), request.name(), inOtherWords.orElse(refusal));
        });
  }

  private boolean may(AdmissionRequest request, String verb, String resource, String name) {
    return authorizer
        .authorize(
            new AuthorizationAttributes(
                request.user(),
                Optional.of(request.cluster()),
                verb,
                new AuthorizationAttributes.Resource(
                    GROUP, "v1", resource, "", request.namespace(), name)))
        .allowed();
  }
}
