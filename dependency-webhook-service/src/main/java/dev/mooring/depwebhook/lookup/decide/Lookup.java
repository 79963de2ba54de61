package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.model.dependency.Blockers;
import java.util.Objects;

/** What is known about the objects that refer to a target. */
public sealed interface Lookup {
  /** Every dependent type was read, or enough to refuse. */
  record Complete(Blockers blockers) implements Lookup {
    public Complete {
      Objects.requireNonNull(blockers, "blockers");
    }
  }

  /**
   * Something could not be read, so nobody knows.
   *
   * @param missing what, for whom it was asked, why, and what to do
   */
  record Incomplete(String missing) implements Lookup {
    public Incomplete {
      Objects.requireNonNull(missing, "missing");
    }
  }
}
