package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.match.AdmissionVariables;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.cel.CelEnvironment;
import java.util.Optional;

/**
 * What validating and mutating policies have in common, compiled.
 *
 * @param environment what its expressions may use, variables included
 * @param messageEnvironment the same without the authorizer
 */
record PolicySpec(
    String name,
    MatchCriteria constraints,
    MatchConditions conditions,
    PolicyVariables variables,
    FailurePolicy failurePolicy,
    Optional<ParamKind> paramKind,
    CelEnvironment environment,
    CelEnvironment messageEnvironment) {

  static PolicySpec of(KubeObject policy) {
    Object paramKind = policy.at("spec", "paramKind");
    CelEnvironment message =
        paramKind == null
            ? AdmissionVariables.MESSAGE
            : AdmissionVariables.withParams(AdmissionVariables.MESSAGE);
    CelEnvironment environment = AdmissionVariables.withAuthorizer(message);
    PolicyVariables variables = PolicyVariables.of(policy.at("spec", "variables"), environment);
    return new PolicySpec(
        policy.name(),
        MatchCriteria.of(policy.at("spec", "matchConstraints"), "resourceRules"),
        MatchConditions.of(policy.at("spec", "matchConditions"), environment),
        variables,
        policy.text("spec", "failurePolicy").equals("Ignore")
            ? FailurePolicy.IGNORE
            : FailurePolicy.FAIL,
        ParamKind.of(paramKind),
        variables.extend(environment),
        variables.extend(message));
  }
}
