package dev.mooring.depwebhook.race.decide;

import java.time.Duration;

/** Why the register refuses a request now. Most reasons end by themselves. */
public sealed interface Refusal {
  /** A reference to the deleted target is pending. */
  record ReferenceUnderWay(DependentId dependent, Duration atMost) implements Refusal {}

  /** A deletion of the reference's target is pending. */
  record DeletionUnderWay(Duration atMost) implements Refusal {}

  /** The target is being deleted and waits for its finalizers. */
  record TargetTerminating() implements Refusal {}

  /** The target does not exist, and the rule requires it. */
  record TargetMissing() implements Refusal {}

  /** The register has no room for another record. */
  record Full() implements Refusal {}

  /**
   * A read or write failed.
   *
   * @param problem which one, and what to do
   */
  record Unknown(String problem) implements Refusal {}
}
