package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.PerClusterCache;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The RBAC of every logical cluster: what the bootstrap policy and the objects of {@code
 * system:admin} grant everywhere, and what the cluster's own objects grant there, with ClusterRoles
 * of the cluster, of {@code system:admin} or of the bootstrap policy. Compiled once per change.
 * Thread-safe.
 */
public final class RbacPolicies implements AutoCloseable {
  static final String GROUP = "rbac.authorization.k8s.io";
  private static final ResourceKey CLUSTER_ROLES = ResourceKey.of(GROUP, "clusterroles");
  private static final ResourceKey CLUSTER_ROLE_BINDINGS =
      ResourceKey.of(GROUP, "clusterrolebindings");
  private static final ResourceKey ROLES = ResourceKey.of(GROUP, "roles");
  private static final ResourceKey ROLE_BINDINGS = ResourceKey.of(GROUP, "rolebindings");

  private final ShardStores stores;
  private final Policy bootstrap;
  private final PerClusterCache<Policy> local;

  public RbacPolicies(ShardStores stores, Policy bootstrap) {
    this.stores = stores;
    this.bootstrap = bootstrap;
    this.local =
        new PerClusterCache<>(
            stores,
            List.of(CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS, ROLES, ROLE_BINDINGS),
            Set.of(LogicalCluster.SYSTEM_ADMIN),
            this::compile);
  }

  /** Whether the user's rights in the cluster cover the request; scopes and warrants count. */
  public boolean allows(
      LogicalCluster cluster, UserInfo user, String verb, AuthorizationAttributes.Target target) {
    return allows(cluster, EffectiveUsers.in(cluster, user), verb, target);
  }

  /** Whether the rights of any of the users in the cluster cover the request. */
  public boolean allows(
      LogicalCluster cluster,
      Collection<UserInfo> users,
      String verb,
      AuthorizationAttributes.Target target) {
    return bootstrap.allows(users, verb, target)
        || local.of(cluster).allows(users, verb, target)
        || local.of(LogicalCluster.SYSTEM_ADMIN).allows(users, verb, target);
  }

  /** All rules the user holds in the namespace, or cluster-wide if it is empty, each once. */
  public List<PolicyRule> rulesFor(LogicalCluster cluster, UserInfo user, String namespace) {
    Collection<UserInfo> users = EffectiveUsers.in(cluster, user);
    var rules = new LinkedHashSet<>(bootstrap.rulesFor(users, namespace));
    rules.addAll(local.of(cluster).rulesFor(users, namespace));
    if (!cluster.equals(LogicalCluster.SYSTEM_ADMIN)) {
      rules.addAll(local.of(LogicalCluster.SYSTEM_ADMIN).rulesFor(users, namespace));
    }
    return List.copyOf(rules);
  }

  /** What the cluster's own objects grant. */
  public Policy of(LogicalCluster cluster) {
    return local.of(cluster);
  }

  private Policy compile(LogicalCluster cluster) {
    return Policy.compile(
        new RbacObjects(
            objects(CLUSTER_ROLES, cluster),
            objects(CLUSTER_ROLE_BINDINGS, cluster),
            objects(ROLES, cluster),
            objects(ROLE_BINDINGS, cluster)),
        cluster.equals(LogicalCluster.SYSTEM_ADMIN)
            ? bootstrap
            : local.of(LogicalCluster.SYSTEM_ADMIN));
  }

  private List<KubeObject> objects(ResourceKey resourceKey, LogicalCluster cluster) {
    return stores.of(cluster).list(ListScope.of(resourceKey, cluster)).objects();
  }

  @Override
  public void close() {
    local.close();
  }
}
