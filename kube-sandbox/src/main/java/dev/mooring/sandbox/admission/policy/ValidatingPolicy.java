package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.LazyExpression;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A ValidatingAdmissionPolicy, compiled.
 *
 * @param annotations audit annotations, which are evaluated though nothing is audited: a failure
 *     denies
 */
record ValidatingPolicy(
    PolicySpec spec, List<Validation> validations, List<LazyExpression> annotations)
    implements PolicyIndex.Policy {
  /**
   * A violation.
   *
   * @param reason of the refusal's status
   */
  record Violation(String message, String reason) {}

  /**
   * What a policy says about a write.
   *
   * @param violations of validations, for the binding's actions
   * @param denials that no action can soften
   */
  record Verdict(List<Violation> violations, List<Violation> denials) {
    static final Verdict FINE = new Verdict(List.of(), List.of());
  }

  static ValidatingPolicy of(KubeObject policy) {
    PolicySpec spec = PolicySpec.of(policy);
    return new ValidatingPolicy(
        spec,
        policy.list("spec", "validations").stream()
            .map(validation -> Validation.of(validation, spec))
            .toList(),
        policy.list("spec", "auditAnnotations").stream()
            .map(annotation ->
                new LazyExpression(
                    Trees.text(annotation, "valueExpression").strip(),
                    spec.environment(),
                    CelExpression.Result.ANNOTATION))
            .toList());
  }

  /**
   * @param values of the policy's environment without variables
   */
  Verdict judge(Map<String, Object> values) {
    Map<String, Object> all = spec.variables().values(values);
    Map<String, Object> forMessages = Validation.messageValues(spec, values);
    var violations = new ArrayList<Violation>();
    for (Validation validation : validations) {
      switch (validation.evaluate(all, forMessages)) {
        case Validation.Outcome.Holds() -> {}
        case Validation.Outcome.Violated(var message, var reason) ->
            violations.add(new Violation(message, reason));
        case Validation.Outcome.Undecided(var message) ->
            violations.addAll(undecided(message).violations());
      }
    }
    return new Verdict(violations, annotationFailures(all));
  }

  private List<Violation> annotationFailures(Map<String, Object> values) {
    var failures = new ArrayList<Violation>();
    for (LazyExpression annotation : annotations) {
      try {
        annotation.evaluate(values);
      } catch (EvaluationFailed e) {
        failures.addAll(undecided(String.valueOf(e.getMessage())).violations());
      }
    }
    return failures;
  }

  /** What an evaluation without a result comes to. */
  Verdict undecided(String problem) {
    return spec.ignoresFailures()
        ? Verdict.FINE
        : new Verdict(List.of(new Violation(problem, "Invalid")), List.of());
  }
}
