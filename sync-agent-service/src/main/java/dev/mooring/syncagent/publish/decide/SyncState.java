package dev.mooring.syncagent.publish.decide;

/** Whether objects of a published type are being kept in step. */
public sealed interface SyncState {
  /** Reason of a {@link Waiting} that ends without anything else changing. */
  String CACHES_FILLING = "CachesFilling";

  /** The owner turned it off. */
  record Off() implements SyncState {}

  /** Not yet; the message says what is waited for. */
  record Waiting(String reason, String message) implements SyncState {}

  record Running() implements SyncState {}
}
