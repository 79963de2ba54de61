package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import java.util.List;
import java.util.Optional;

/**
 * A ValidatingAdmissionPolicyBinding, compiled: where a policy applies, and what a violation does.
 *
 * @param resources narrows what the policy matches; empty for no narrowing
 * @param actions {@code Deny}, {@code Warn}, {@code Audit}
 */
record PolicyBinding(
    String name, String policy, Optional<MatchCriteria> resources, List<String> actions) {
  PolicyBinding {
    actions = List.copyOf(actions);
  }

  static PolicyBinding of(KubeObject binding) {
    return new PolicyBinding(
        binding.name(),
        binding.text("spec", "policyName"),
        Optional.ofNullable(binding.at("spec", "matchResources"))
            .map(tree -> MatchCriteria.of(tree, "resourceRules")),
        Trees.texts(binding.at("spec", "validationActions")));
  }
}
