package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.security.rbac.PolicyRule;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.List;
import java.util.stream.Stream;

/**
 * What shards share through the cache server, as kcp does ({@code pkg/reconciler/cache/replication}
 * and the {@code replicate…} controllers): all objects of some resources; a LogicalCluster that has
 * exports or workspace types; and the ClusterRoles and ClusterRoleBindings that decide whether
 * users of other shards may bind or use these. Any of the last three is shared as well if it has
 * the annotation {@value #ANNOTATION}.
 */
final class ReplicationRules {
  static final String ANNOTATION = "internal.kcp.io/replicate";

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
          ResourceKey.of(ADMISSION, "mutatingadmissionpolicybindings"),
          KcpResources.CACHED_RESOURCES,
          KcpResources.CACHED_SLICES);

  static final ResourceKey ROLES = ResourceKey.of("rbac.authorization.k8s.io", "clusterroles");

  /** Everything of which something is shared. */
  static final List<ResourceKey> ALL =
      Stream.concat(
              WHOLE.stream(),
              Stream.of(KcpResources.LOGICAL_CLUSTERS, ROLES, KcpResources.ROLE_BINDINGS))
          .toList();

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

  /** Whether rules of a ClusterRole matter on other shards. */
  static boolean matter(List<PolicyRule> rules, Visibility cluster) {
    return rules.stream()
        .anyMatch(rule ->
            bindsOrReads(rule) || usesType(rule) || cluster == Visibility.SHARED && enters(rule));
  }

  private static boolean bindsOrReads(PolicyRule rule) {
    return has(rule.groups(), "apis.kcp.io")
        && (has(rule.resources(), "apiexports") && has(rule.verbs(), "bind")
            || has(rule.resources(), "apiexports/content"));
  }

  private static boolean usesType(PolicyRule rule) {
    return has(rule.groups(), "tenancy.kcp.io")
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
