package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.Subject;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.selector.LabelSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The roles and bindings of one logical cluster, compiled: an answer costs one look-up per group of
 * the user, not one per binding. Immutable; bindings to roles that do not exist grant nothing.
 */
public final class Policy {
  private final Map<String, List<PolicyRule>> clusterRoles;
  private final Map<NamespacedName, List<PolicyRule>> roles;
  private final Map<Subject, List<List<PolicyRule>>> clusterGrants;
  private final Map<String, Map<Subject, List<List<PolicyRule>>>> namespaceGrants;

  private final @Nullable Policy inherited;

  private record NamespacedName(String namespace, String name) {}

  private Policy(
      Map<String, List<PolicyRule>> clusterRoles, RbacObjects objects, @Nullable Policy inherited) {
    this.clusterRoles = clusterRoles;
    this.inherited = inherited;
    var roleMap = new HashMap<NamespacedName, List<PolicyRule>>();
    for (KubeObject role : objects.roles()) {
      roleMap.put(
          new NamespacedName(role.namespace(), role.name()), PolicyRule.listOf(role.at("rules")));
    }
    this.roles = roleMap;
    this.clusterGrants = new HashMap<>();
    this.namespaceGrants = new HashMap<>();
    for (KubeObject binding : objects.clusterRoleBindings()) {
      grant(clusterGrants, binding);
    }
    for (KubeObject binding : objects.roleBindings()) {
      grant(
          namespaceGrants.computeIfAbsent(binding.namespace(), namespace -> new HashMap<>()),
          binding);
    }
  }

  /**
   * Compiles the objects; aggregated ClusterRoles get the rules of those they select, to any depth.
   *
   * @param inherited whose ClusterRoles may be bound here as well, unless one of the same name
   *     exists here; null for none. Its bindings do not count.
   */
  public static Policy compile(RbacObjects objects, @Nullable Policy inherited) {
    return new Policy(rulesByName(objects.clusterRoles()), objects, inherited);
  }

  /** ClusterRoles with an {@code aggregationRule} collect the rules of those whose labels match. */
  private static Map<String, List<PolicyRule>> rulesByName(List<KubeObject> clusterRoles) {
    var rules = new HashMap<String, List<PolicyRule>>();
    for (KubeObject role : clusterRoles) {
      var collected = new LinkedHashSet<PolicyRule>();
      collect(role, clusterRoles, new HashSet<>(), collected);
      rules.put(role.name(), List.copyOf(collected));
    }
    return rules;
  }

  /** Roles may select each other in circles; each is visited once. */
  private static void collect(
      KubeObject role, List<KubeObject> all, Set<String> visited, Set<PolicyRule> collected) {
    if (!visited.add(role.name())) {
      return;
    }
    collected.addAll(PolicyRule.listOf(role.at("rules")));
    for (Object selector : role.list("aggregationRule", "clusterRoleSelectors")) {
      for (KubeObject other : all) {
        if (LabelSelector.of(selector).matches(other.labels())) {
          collect(other, all, visited, collected);
        }
      }
    }
  }

  private void grant(Map<Subject, List<List<PolicyRule>>> grants, KubeObject binding) {
    rulesOf(RoleRef.of(binding), binding.namespace())
        .ifPresent(rules ->
            Subject.of(binding)
                .forEach(subject ->
                    grants.computeIfAbsent(subject, key -> new ArrayList<>()).add(rules)));
  }

  /**
   * The rules of a role; empty if there is no such role.
   *
   * @param namespace of the binding; empty for a ClusterRoleBinding
   */
  public Optional<List<PolicyRule>> rulesOf(RoleRef role, String namespace) {
    return switch (role.kind()) {
      case "ClusterRole" -> {
        List<PolicyRule> own = clusterRoles.get(role.name());
        yield own == null && inherited != null
            ? inherited.rulesOf(role, namespace)
            : Optional.ofNullable(own);
      }
      case "Role" -> Optional.ofNullable(roles.get(new NamespacedName(namespace, role.name())));
      default -> Optional.empty();
    };
  }

  /** As {@link #rulesOf}, without the roles that are inherited. */
  public Optional<List<PolicyRule>> ownRulesOf(RoleRef role, String namespace) {
    return role.kind().equals("ClusterRole")
        ? Optional.ofNullable(clusterRoles.get(role.name()))
        : rulesOf(role, namespace);
  }

  /** Whether any of the users may; see {@link EffectiveUsers}. */
  public boolean allows(
      Collection<UserInfo> users, String verb, AuthorizationAttributes.Target target) {
    String namespace =
        target instanceof AuthorizationAttributes.Resource resource ? resource.namespace() : "";
    return rules(users, namespace).anyMatch(rule -> rule.allows(verb, target));
  }

  /** All rules the users hold in the namespace, or cluster-wide if it is empty. */
  public List<PolicyRule> rulesFor(Collection<UserInfo> users, String namespace) {
    return rules(users, namespace).toList();
  }

  private Stream<PolicyRule> rules(Collection<UserInfo> users, String namespace) {
    Map<Subject, List<List<PolicyRule>>> inNamespace =
        namespaceGrants.getOrDefault(namespace, Map.of());
    return users.stream()
        .flatMap(user -> Subject.namesOf(user).stream())
        .flatMap(subject ->
            Stream.of(clusterGrants, inNamespace)
                .flatMap(grants -> grants.getOrDefault(subject, List.of()).stream()))
        .flatMap(List::stream);
  }
}
