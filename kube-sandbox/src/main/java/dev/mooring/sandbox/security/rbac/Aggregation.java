package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.selector.LabelSelector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** ClusterRoles with an {@code aggregationRule} collect the rules of those whose labels match. */
final class Aggregation {
  private Aggregation() {}

  static Map<String, List<PolicyRule>> rulesByName(List<KubeObject> clusterRoles) {
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
}
