package dev.mooring.runtime.client;

/** An open watch. */
public interface WatchHandle extends AutoCloseable {
  /** Ends the watch; no event is delivered after it returns. Idempotent. */
  @Override
  void close();
}
