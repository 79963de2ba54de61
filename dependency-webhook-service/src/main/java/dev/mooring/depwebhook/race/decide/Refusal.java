package dev.mooring.depwebhook.race.decide;

import java.time.Duration;
import java.util.Objects;

/** Why the register lets a request not go ahead now. All but one end by themselves. */
public sealed interface Refusal {
  /** A reference is under way to what is to be deleted. */
  record ReferenceUnderWay(DependentId dependent, Duration atMost) implements Refusal {
    public ReferenceUnderWay {
      Objects.requireNonNull(dependent, "dependent");
      Objects.requireNonNull(atMost, "atMost");
    }
  }

  /** A deletion is under way of what is to be referred to. */
  record DeletionUnderWay(Duration atMost) implements Refusal {
    public DeletionUnderWay {
      Objects.requireNonNull(atMost, "atMost");
    }
  }

  /** What is to be referred to is being deleted, and waits for its finalizers. */
  record TargetTerminating() implements Refusal {}

  /** What is to be referred to is not there, and the rule demands that it is. */
  record TargetMissing() implements Refusal {}

  /** The register has no room for another record. */
  record Full() implements Refusal {}

  /**
   * Something could not be read or written, so nobody knows.
   *
   * @param problem what, and what to do
   */
  record Unknown(String problem) implements Refusal {
    public Unknown {
      Objects.requireNonNull(problem, "problem");
    }
  }
}
