package dev.mooring.depcontroller.ca.selfmanaged.decide;

/** One write that brings the certificates closer to where they should be. */
public sealed interface RotationStep {
  /** Nothing to do now. */
  record Rest() implements RotationStep {}

  /** Make the first authority. */
  record Found() implements RotationStep {}

  /** Make the authority that is to take over; from now on it is in the bundle. */
  record AddNext() implements RotationStep {}

  /** Have the webhook show another certificate. */
  record IssueServing(Signer signer) implements RotationStep {}

  /** The next authority signs from now on; the one before stays in the bundle. */
  record Promote() implements RotationStep {}

  /** The one before leaves the bundle. */
  record DropOld() implements RotationStep {}

  /** Which authority signs. */
  enum Signer {
    CURRENT,
    NEXT
  }
}
