package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import java.util.List;

/** A MutatingAdmissionPolicy, compiled. */
record MutatingPolicy(PolicySpec spec, List<Mutation> mutations, Reinvoke reinvoke) {
  /** Whether the policy runs again when the object is changed after it. */
  enum Reinvoke {
    NEVER,
    IF_NEEDED
  }

  MutatingPolicy {
    mutations = List.copyOf(mutations);
  }

  static MutatingPolicy of(KubeObject policy) {
    PolicySpec spec = PolicySpec.of(policy);
    return new MutatingPolicy(
        spec,
        policy.list("spec", "mutations").stream()
            .map(mutation -> Mutation.of(mutation, spec.environment()))
            .toList(),
        policy.text("spec", "reinvocationPolicy").equals("IfNeeded")
            ? Reinvoke.IF_NEEDED
            : Reinvoke.NEVER);
  }
}
