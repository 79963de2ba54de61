package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import java.util.List;

/** A ValidatingAdmissionPolicy, compiled. */
record ValidatingPolicy(
    String name,
    MatchCriteria constraints,
    MatchConditions conditions,
    PolicyVariables variables,
    List<Validation> validations,
    FailurePolicy failurePolicy) {
  enum FailurePolicy {
    FAIL,
    IGNORE
  }

  ValidatingPolicy {
    validations = List.copyOf(validations);
  }

  static ValidatingPolicy of(KubeObject policy) {
    return new ValidatingPolicy(
        policy.name(),
        MatchCriteria.of(policy.at("spec", "matchConstraints"), "resourceRules"),
        MatchConditions.of(policy.at("spec", "matchConditions")),
        PolicyVariables.of(policy.at("spec", "variables")),
        policy.list("spec", "validations").stream().map(Validation::of).toList(),
        policy.text("spec", "failurePolicy").equals("Ignore")
            ? FailurePolicy.IGNORE
            : FailurePolicy.FAIL);
  }
}
