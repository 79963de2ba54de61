package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.security.rbac.PolicyRule;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.rbac.RoleRef;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes the annotation by which LogicalClusters, ClusterRoles and ClusterRoleBindings are shared
 * with other shards, also if there are none, as kcp's {@code replicate…} controllers do.
 */
public record ReplicationMarks(LoopbackClient objects, RbacPolicies policies)
    implements Reconciler<LogicalCluster> {
  private static final Next SETTLED = new Next.OnEvent();

  private static final List<ResourceKey> SOURCES =
      List.of(
          KcpResources.EXPORTS,
          KcpResources.WORKSPACE_TYPES,
          KcpResources.LOGICAL_CLUSTERS,
          ReplicationRules.ROLES,
          KcpResources.ROLE_BINDINGS);

  public static Controller<LogicalCluster> start(LoopbackClient objects, RbacPolicies policies) {
    return Controller.start(
        "replication-marks",
        objects.store(),
        SOURCES.stream().map(Replication::source).toList(),
        new ReplicationMarks(objects, policies));
  }

  @Override
  public Next reconcile(LogicalCluster cluster) {
    boolean shared = false;
    for (StoredObject object : objects.list(KcpResources.LOGICAL_CLUSTERS, cluster)) {
      KubeObject marked = mark(object, ofCluster(cluster));
      shared = ReplicationRules.isMarked(marked);
    }
    var visibility =
        shared ? ReplicationRules.Visibility.SHARED : ReplicationRules.Visibility.LOCAL;
    Set<String> policyRoles = new HashSet<>();
    for (StoredObject binding : objects.list(KcpResources.ROLE_BINDINGS, cluster)) {
      RoleRef role = RoleRef.of(binding.object());
      Set<String> groups = ReplicationRules.groups(rules(cluster, role), visibility);
      if (ReplicationRules.isPolicy(binding.object())) {
        policyRoles.add(role.name());
        groups.add(ReplicationRules.APIS);
      }
      mark(binding, groups);
    }
    for (StoredObject role : objects.list(ReplicationRules.ROLES, cluster)) {
      String name = role.key().name();
      Set<String> groups =
          ReplicationRules.groups(rules(cluster, new RoleRef("ClusterRole", name)), visibility);
      if (policyRoles.contains(name)) {
        groups.add(ReplicationRules.APIS);
      }
      mark(role, groups);
    }
    return SETTLED;
  }

  private Set<String> ofCluster(LogicalCluster cluster) {
    var groups = new TreeSet<String>();
    Stream.of(KcpResources.EXPORTS, KcpResources.WORKSPACE_TYPES)
        .filter(resource -> !objects.list(resource, cluster).isEmpty())
        .forEach(resource -> groups.add(resource.group()));
    return groups;
  }

  private List<PolicyRule> rules(LogicalCluster cluster, RoleRef role) {
    return policies.of(cluster).rulesOf(role, "").orElse(List.of());
  }

  private KubeObject mark(StoredObject object, Set<String> groups) {
    KubeObject marked = ReplicationRules.marked(object.object(), groups);
    if (!marked.equals(object.object())) {
      objects.update(object, marked);
    }
    return marked;
  }
}
