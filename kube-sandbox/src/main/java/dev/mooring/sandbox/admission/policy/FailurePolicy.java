package dev.mooring.sandbox.admission.policy;

/** What a policy does that cannot be evaluated. */
enum FailurePolicy {
  FAIL,
  IGNORE
}
