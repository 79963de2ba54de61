package dev.mooring.depcontroller.signature.decide;

import dev.mooring.model.identity.LogicalCluster;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** One write that brings the signing keys closer to where they should be. */
public sealed interface KeyStep {
  /** Nothing to do now. */
  record Wait() implements KeyStep {}

  /** Make the first key; it signs nothing yet, and unsigned reviews are accepted. */
  record CreateFirst() implements KeyStep {}

  /** Make the key that is to sign next; it is accepted from now on. */
  record AddNext() implements KeyStep {}

  /** The next key signs from now on; the one before is still accepted. */
  record Promote() implements KeyStep {}

  /**
   * Only the current key is accepted from now on, and unsigned reviews only of these providers.
   *
   * @param excused whose configuration could not be signed
   */
  record Settle(SortedSet<LogicalCluster> excused) implements KeyStep {
    public Settle {
      excused = Collections.unmodifiableSortedSet(new TreeSet<>(excused));
    }
  }
}
