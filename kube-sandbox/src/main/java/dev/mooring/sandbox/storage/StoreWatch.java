package dev.mooring.sandbox.storage;

import java.time.Duration;
import java.util.Optional;

/** The events of a scope after some version, each exactly once, in order. One reader at a time. */
public interface StoreWatch extends AutoCloseable {
  /**
   * The next event; empty if none came in time. Throws {@link WatchClosed} once the watch was
   * closed by the store, because the reader fell too far behind or the resource was removed.
   */
  Optional<StoreEvent> next(Duration wait) throws InterruptedException;

  /**
   * No event of the scope up to this version is still to come: what a bookmark may claim once
   * {@link #next} has answered empty.
   */
  long progress();

  /**
   * Has an action run when the reader has fallen too far behind: it may wait for its client.
   *
   * @param action runs in the midst of a write, so it must not block
   */
  void onCut(Runnable action);

  @Override
  void close();
}
