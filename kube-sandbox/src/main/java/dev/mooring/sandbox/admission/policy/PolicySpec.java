package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.cel.CelEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * What validating and mutating policies have in common, compiled.
 *
 * @param paramKind null if the policy has no parameters
 * @param environment what its expressions may use, variables included
 * @param messageEnvironment the same without the authorizer
 */
record PolicySpec(
    String name,
    MatchCriteria constraints,
    MatchConditions conditions,
    PolicyVariables variables,
    boolean ignoresFailures,
    @Nullable Object paramKind,
    CelEnvironment environment,
    CelEnvironment messageEnvironment) {

  static PolicySpec of(KubeObject policy) {
    CelEnvironment message = PolicyRules.messageEnvironment(policy);
    CelEnvironment environment = PolicyRules.environment(policy);
    PolicyVariables variables = PolicyVariables.of(policy.at("spec", "variables"), environment);
    return new PolicySpec(
        policy.name(),
        MatchCriteria.of(policy.at("spec", "matchConstraints"), "resourceRules"),
        MatchConditions.of(policy.at("spec", "matchConditions"), environment),
        variables,
        policy.text("spec", "failurePolicy").equals("Ignore"),
        policy.at("spec", "paramKind"),
        variables.extend(environment),
        variables.extend(message));
  }
}
