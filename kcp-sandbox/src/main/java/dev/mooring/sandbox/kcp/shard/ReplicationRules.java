package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.security.rbac.PolicyRule;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What shards share through the cache server, as kcp does ({@code pkg/reconciler/cache/replication}
 * and the {@code replicate…} controllers): all objects of some resources, and those
 * LogicalClusters, ClusterRoles and ClusterRoleBindings that have the annotation {@value
 * #ANNOTATION}: clusters that have exports or workspace types, and what decides whether users of
 * other shards may bind or use these.
 */
final class ReplicationRules {
  static final String ANNOTATION = "internal.kcp.io/replicate";

  static final String APIS = "apis.kcp.io";
  private static final String TENANCY = "tenancy.kcp.io";
  private static final String CORE = "core.kcp.io";
  private static final Set<String> GROUPS = Set.of(APIS, TENANCY, CORE);

  private static final String ADMISSION = "admissionregistration.k8s.io";

  /** Of these every object is shared. */
  static final List<ResourceKey> WHOLE =
      List.of(
          KcpResources.EXPORTS,
          KcpResources.SLICES,
          KcpResources.SCHEMAS,
          ResourceKey.of("apis.kcp.io", "apiconversions"),
          KcpResources.WORKSPACE_TYPES,
          KcpResources.SHARDS,
          ResourceKey.of(ADMISSION, "mutatingwebhookconfigurations"),
          ResourceKey.of(ADMISSION, "validatingwebhookconfigurations"),
          ResourceKey.of(ADMISSION, "validatingadmissionpolicies"),
          ResourceKey.of(ADMISSION, "validatingadmissionpolicybindings"),
          ResourceKey.of(ADMISSION, "mutatingadmissionpolicies"),
          ResourceKey.of(ADMISSION, "mutatingadmissionpolicybindings"));

  static final ResourceKey ROLES = ResourceKey.of("rbac.authorization.k8s.io", "clusterroles");

  /** Of these what is marked is shared. */
  static final List<ResourceKey> MARKED =
      List.of(KcpResources.LOGICAL_CLUSTERS, ROLES, KcpResources.ROLE_BINDINGS);

  /** Everything of which something is shared. */
  static final List<ResourceKey> ALL = Stream.concat(WHOLE.stream(), MARKED.stream()).toList();

  /** Of users and groups in the maximal permission policy of an export. */
  private static final String POLICY_SUBJECT = "apis.kcp.io:binding:";

  private ReplicationRules() {}

  /** Whether a logical cluster is known to other shards. */
  enum Visibility {
    SHARED,
    LOCAL
  }

  static boolean isMarked(KubeObject object) {
    return object.annotation(ANNOTATION).filter(text -> !text.isEmpty()).isPresent();
  }

  /**
   * The object, marked for these groups of kcp's types and for those that are not kcp's.
   *
   * @param groups for which other shards need it
   */
  static KubeObject marked(KubeObject object, Set<String> groups) {
    Set<String> before =
        object
            .annotation(ANNOTATION)
            .filter(text -> !text.isEmpty())
            .map(text -> Set.of(text.split(",")))
            .orElse(Set.of());
    var after = new TreeSet<>(before);
    after.removeAll(GROUPS);
    after.addAll(groups);
    if (after.equals(before)) {
      return object;
    }
    return after.isEmpty()
        ? object.without("metadata", "annotations", ANNOTATION)
        : object.with(String.join(",", after), "metadata", "annotations", ANNOTATION);
  }

  /** The groups for which rules of a ClusterRole matter on other shards. */
  static Set<String> groups(List<PolicyRule> rules, Visibility cluster) {
    var groups = new TreeSet<String>();
    for (PolicyRule rule : rules) {
      if (bindsOrReads(rule)) {
        groups.add(APIS);
      }
      if (usesType(rule)) {
        groups.add(TENANCY);
      }
      if (cluster == Visibility.SHARED && enters(rule)) {
        groups.add(CORE);
      }
    }
    return groups;
  }

  private static boolean bindsOrReads(PolicyRule rule) {
    return has(rule.groups(), APIS)
        && (has(rule.resources(), "apiexports") && has(rule.verbs(), "bind")
            || has(rule.resources(), "apiexports/content"));
  }

  private static boolean usesType(PolicyRule rule) {
    return has(rule.groups(), TENANCY)
        && has(rule.resources(), "workspacetypes")
        && Stream.of("use", "initialize", "terminate").anyMatch(verb -> has(rule.verbs(), verb));
  }

  private static boolean enters(PolicyRule rule) {
    return Stream.of("/", "*", "/*").anyMatch(rule.urls()::contains) && has(rule.verbs(), "access");
  }

  private static boolean has(List<String> values, String wanted) {
    return values.contains(wanted) || values.contains("*");
  }

  /** Whether the binding is part of an export's maximal permission policy. */
  static boolean isPolicy(KubeObject binding) {
    return binding.list("subjects").stream()
        .map(subject -> Trees.textOrEmpty(Trees.at(subject, "name")))
        .anyMatch(name -> name.startsWith(POLICY_SUBJECT));
  }
}
