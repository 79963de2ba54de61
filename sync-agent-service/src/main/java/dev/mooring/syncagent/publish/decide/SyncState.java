package dev.mooring.syncagent.publish.decide;

import java.util.Objects;
import java.util.Optional;

/** Whether objects of a published type are being kept in step. */
public sealed interface SyncState {
  /** Reason as long as objects are listed; it ends without anything else changing. */
  String CACHES_FILLING = "CachesFilling";

  /** The owner turned it off. */
  record Off() implements SyncState {}

  /** Not yet; the message says what is waited for. */
  record Waiting(String reason, String message) implements SyncState {}

  /** It began, and objects are being listed; nothing is known to be wrong. */
  record Listing() implements SyncState {}

  /**
   * @param counts empty until every object was looked at once
   */
  record Running(Optional<ObjectCounts> counts) implements SyncState {
    public Running {
      Objects.requireNonNull(counts, "counts");
    }
  }
}
