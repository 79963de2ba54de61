package dev.mooring.sandbox.security.authorization;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Set;

/** Authorization of a plain Kubernetes server: masters may everything, others what RBAC says. */
public record KubernetesAuthorizer(RbacPolicies policies) implements Authorizer {
  /** Open to all users, without RBAC. */
  static final Set<String> OPEN_PATHS = Set.of("/healthz", "/readyz", "/livez");

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    if (unconditional(attributes)) {
      return new Decision.Allowed("");
    }
    LogicalCluster cluster = attributes.cluster().orElse(LogicalCluster.NONE);
    return policies.allows(cluster, attributes.user(), attributes.verb(), attributes.target())
        ? new Decision.Allowed("")
        : new Decision.NoOpinion("");
  }

  /** Whether the request is allowed without a look at RBAC. */
  public static boolean unconditional(AuthorizationAttributes attributes) {
    return attributes.user().groups().contains(UserInfo.MASTERS)
        || attributes.target() instanceof AuthorizationAttributes.Url url
            && OPEN_PATHS.contains(url.path());
  }
}
