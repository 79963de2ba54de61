package dev.mooring.depcontroller.ca.selfmanaged.decide;

/** One write that brings the certificates closer to where they should be. */
public sealed interface RotationStep {
  /** Nothing to do now. */
  record Wait() implements RotationStep {}

  /** Issue the first CA. */
  record CreateFirst() implements RotationStep {}

  /** Issue the next CA, which is in the bundle from now on. */
  record AddNext() implements RotationStep {}

  /** Issue the serving certificate. */
  record IssueServing(Signer signer) implements RotationStep {}

  /** Make the next CA the current one; the old CA stays in the bundle. */
  record Promote() implements RotationStep {}

  /** Remove the old CA from the bundle. */
  record DropOld() implements RotationStep {}

  /** The CA that signs. */
  enum Signer {
    CURRENT,
    NEXT
  }
}
