package dev.mooring.syncagent.sync.decide;

import java.util.List;
import java.util.Optional;

/** Whether objects of a published type are being kept in step. */
public sealed interface SyncState {
  /** Reason as long as objects are listed; it ends without anything else changing. */
  String CACHES_FILLING = "CachesFilling";

  /** The owner turned it off. */
  record Off() implements SyncState {}

  /** Not yet; the message says what is waited for. */
  record Waiting(String reason, String message) implements SyncState {}

  /**
   * It began, and objects are not listed yet; the message says why. That changes nothing where they
   * were synced before.
   */
  record Listing(String message) implements SyncState {}

  /**
   * @param counts empty until a pass over every object has begun
   * @param problems what keeps some objects from being in step, the gravest first
   */
  record Running(Optional<ObjectCounts> counts, List<Problem> problems) implements SyncState {
    public Running {
      problems = List.copyOf(problems);
    }
  }

  /** Something that a person has to do, in whole sentences. */
  record Problem(String reason, String message) {
    /** Consumers did not accept what the APIExport claims. */
    public static final String CLAIM_REJECTED = "ClaimRejected";

    /** Each has a reason of its own, which the message names. */
    public static final String OBJECTS_FAILING = "ObjectsFailing";
  }
}
