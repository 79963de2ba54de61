package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A ValidatingAdmissionPolicy, compiled. Nothing is audited: its audit annotations do nothing. */
record ValidatingPolicy(PolicySpec spec, List<Validation> validations)
    implements PolicyIndex.Policy {
  /**
   * A violation.
   *
   * @param reason of the refusal's status
   */
  record Violation(String message, String reason) {}

  static ValidatingPolicy of(KubeObject policy) {
    PolicySpec spec = PolicySpec.of(policy);
    return new ValidatingPolicy(
        spec,
        policy.list("spec", "validations").stream()
            .map(validation -> Validation.of(validation, spec))
            .toList());
  }

  /**
   * @param values of the policy's environment without variables
   */
  List<Violation> judge(Map<String, Object> values) {
    Map<String, Object> all = spec.variables().values(values);
    Map<String, Object> forMessages = Validation.messageValues(spec, values);
    var violations = new ArrayList<Violation>();
    for (Validation validation : validations) {
      switch (validation.evaluate(all, forMessages)) {
        case Validation.Outcome.Holds() -> {}
        case Validation.Outcome.Violated(var message, var reason) ->
            violations.add(new Violation(message, reason));
        case Validation.Outcome.Undecided(var message) -> violations.addAll(undecided(message));
      }
    }
    return violations;
  }

  /** What an evaluation without a result comes to. */
  List<Violation> undecided(String problem) {
    return spec.ignoresFailures() ? List.of() : List.of(new Violation(problem, "Invalid"));
  }
}
