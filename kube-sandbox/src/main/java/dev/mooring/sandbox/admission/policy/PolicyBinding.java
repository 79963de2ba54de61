package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import java.util.List;
import java.util.Optional;

/**
 * A binding of a validating or mutating policy: where the policy applies, and with what.
 *
 * @param resources narrows what the policy matches; empty for no narrowing
 * @param params which parameters it names; empty for none
 * @param actions {@code Deny}, {@code Warn}, {@code Audit}; none for a mutating policy
 */
record PolicyBinding(
    String name,
    String policy,
    Optional<MatchCriteria> resources,
    Optional<Params.Reference> params,
    List<String> actions) {
  PolicyBinding {
    actions = List.copyOf(actions);
  }

  static PolicyBinding of(KubeObject binding) {
    return new PolicyBinding(
        binding.name(),
        binding.text("spec", "policyName"),
        Optional.ofNullable(binding.at("spec", "matchResources"))
            .map(tree -> MatchCriteria.of(tree, "resourceRules")),
        Optional.ofNullable(binding.at("spec", "paramRef")).map(Params.Reference::of),
        Trees.texts(binding.at("spec", "validationActions")));
  }

  /** Whether the policy applies to the write, which matches the policy. */
  boolean covers(AdmissionRequest request, MatchCriteria.MatchContext context) {
    return resources
        .map(narrower ->
            narrower.rules().isEmpty()
                ? narrower.selects(request, context)
                : narrower.match(request, context).isPresent())
        .orElse(true);
  }
}
