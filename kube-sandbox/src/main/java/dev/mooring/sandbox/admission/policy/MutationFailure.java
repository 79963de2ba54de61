package dev.mooring.sandbox.admission.policy;

/** A mutation that cannot be evaluated or applied; the failure policy decides. */
final class MutationFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  MutationFailure(String message) {
    super(message, null, false, false);
  }
}
