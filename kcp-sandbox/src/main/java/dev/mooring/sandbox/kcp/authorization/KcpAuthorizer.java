package dev.mooring.sandbox.kcp.authorization;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.kcp.bound.ClusterBindings.ExportRef;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.PrefixedUser;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Authorization of kcp, in the order of its chain (pkg/server/options/authorization.go): masters
 * and health paths pass; the groups that the workspace requires; entry to the workspace (verb
 * {@code access} on {@code /}); status of bindings and exports belongs to the server; the maximal
 * permission policy of the export that offers the resource; RBAC. Every denial reads {@code access
 * denied}.
 */
public record KcpAuthorizer(ShardStores stores, RbacPolicies policies, BindingIndex bindings)
    implements Authorizer {
  private static final Decision ALLOWED = new Decision.Allowed("access granted");
  private static final Decision DENIED = new Decision.Denied("access denied");
  private static final Decision NO_OPINION = new Decision.NoOpinion("access denied");
  private static final AuthorizationAttributes.Url ENTRY = new AuthorizationAttributes.Url("/");
  private static final String APIS = "apis.kcp.io";
  private static final String TENANCY = "tenancy.kcp.io";
  private static final LogicalCluster ROOT = new LogicalCluster("root");
  private static final ResourceKey LOGICAL_CLUSTERS =
      ResourceKey.of("core.kcp.io", "logicalclusters");
  private static final ResourceKey API_EXPORTS = ResourceKey.of(APIS, "apiexports");
  private static final String LOGICAL_CLUSTER_ADMIN = "system:kcp:logical-cluster-admin";
  private static final String EXTERNAL_ADMIN = "system:kcp:external-logical-cluster-admin";
  private static final String REQUIRED_GROUPS = "authorization.kcp.io/required-groups";
  // Members of any of these need not be in the required groups.
  private static final List<String> EXEMPT_GROUPS =
      List.of("system:kcp:admin", "system:kcp:tenancy:workspace-bootstrapper");
  private static final Set<String> OPEN_PHASES =
      Set.of("Initializing", "Ready", "Inactive", "Terminating", "Deleting");

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    if (KubernetesAuthorizer.unconditional(attributes)) {
      return new Decision.Allowed("");
    }
    return attributes.cluster().map(cluster -> decide(cluster, attributes)).orElse(NO_OPINION);
  }

  private Decision decide(LogicalCluster cluster, AuthorizationAttributes attributes) {
    UserInfo user = attributes.user();
    Set<String> groups =
        EffectiveUsers.in(cluster, user).stream()
            .flatMap(effective -> effective.groups().stream())
            .collect(Collectors.toCollection(HashSet::new));
    if (!groups.contains(LOGICAL_CLUSTER_ADMIN)) {
      Optional<KubeObject> logicalCluster =
          stores
              .of(cluster)
              .get(new StorageKey(LOGICAL_CLUSTERS, cluster, "", "cluster"))
              .map(StoredObject::object);
      if (logicalCluster.isEmpty() || !inRequiredGroups(logicalCluster.get(), user, groups)) {
        return DENIED;
      }
      if (!OPEN_PHASES.contains(logicalCluster.get().text("status", "phase"))
          || !mayEnter(cluster, user)) {
        return NO_OPINION;
      }
    }
    if (isServersOwn(attributes)) {
      return DENIED;
    }
    return maximallyPermitted(cluster, attributes)
            && policies.allows(cluster, user, attributes.verb(), attributes.target())
        ? ALLOWED
        : NO_OPINION;
  }

  /** The annotation is alternatives separated by semicolons, each a comma-separated conjunction. */
  private static boolean inRequiredGroups(
      KubeObject logicalCluster, UserInfo user, Set<String> groups) {
    Optional<String> required = logicalCluster.annotation(REQUIRED_GROUPS);
    if (required.isEmpty()
        || EffectiveUsers.isServiceAccount(user)
        || groups.contains(EXTERNAL_ADMIN)
        || EXEMPT_GROUPS.stream().anyMatch(groups::contains)) {
      return true;
    }
    for (String alternative : required.get().split(";")) {
      if (groups.containsAll(List.of(alternative.split(",")))) {
        return true;
      }
    }
    return false;
  }

  private boolean mayEnter(LogicalCluster cluster, UserInfo user) {
    boolean local = EffectiveUsers.isServiceAccount(user) && EffectiveUsers.inScope(cluster, user);
    return local || policies.allows(cluster, user, "access", ENTRY);
  }

  private static boolean isServersOwn(AuthorizationAttributes attributes) {
    return attributes.target() instanceof AuthorizationAttributes.Resource resource
        && resource.group().equals(APIS)
        && resource.subresource().equals("status")
        && (resource.resource().equals("apibindings") || resource.resource().equals("apiexports"));
  }

  /**
   * By the RBAC of the export's workspace, but scopes count for the workspace of the request: a
   * service account is let through in its own, and nowhere else.
   */
  private boolean maximallyPermitted(LogicalCluster cluster, AuthorizationAttributes attributes) {
    if (!(attributes.target() instanceof AuthorizationAttributes.Resource resource)) {
      return true;
    }
    Optional<ExportRef> export =
        bindings
            .of(cluster)
            .exportOf(resource.group(), resource.resource())
            .or(() -> boundInRoot(cluster, resource))
            .filter(this::hasLocalPolicy);
    return export.isEmpty()
        || policies.allows(
            export.get().cluster(),
            EffectiveUsers.in(cluster, PrefixedUser.of(PrefixedUser.BINDING, attributes.user())),
            attributes.verb(),
            attributes.target());
  }

  /**
   * The workspace root of a kcp is bound to tenancy.kcp.io; the sandbox serves it there as it is.
   */
  private static Optional<ExportRef> boundInRoot(
      LogicalCluster cluster, AuthorizationAttributes.Resource resource) {
    return cluster.equals(ROOT) && resource.group().equals(TENANCY)
        ? Optional.of(new ExportRef(ROOT, TENANCY))
        : Optional.empty();
  }

  private boolean hasLocalPolicy(ExportRef export) {
    return stores
        .of(export.cluster())
        .get(new StorageKey(API_EXPORTS, export.cluster(), "", export.name()))
        .map(stored -> stored.object().at("spec", "maximalPermissionPolicy", "local") != null)
        // Without the export there is no policy, as APIExport's documentation has it.
        .orElse(false);
  }
}
