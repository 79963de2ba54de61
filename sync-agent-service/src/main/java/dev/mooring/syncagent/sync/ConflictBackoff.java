package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long to wait for a cache that is behind, where the event of the faster write came before, or
 * does not come because a watch is broken. Bounded by the objects that wait. Thread-safe.
 */
final class ConflictBackoff {
  private static final Duration FIRST = Duration.ofMillis(200);

  /** Doublings of {@link #FIRST}: 25 seconds at most. */
  private static final int DOUBLINGS_MAX = 7;

  private final ConcurrentHashMap<ObjectKey, Integer> inARow = new ConcurrentHashMap<>();

  Duration next(ObjectKey key) {
    int before = inARow.merge(key, 1, Integer::sum) - 1;
    return FIRST.multipliedBy(1L << Math.min(before, DOUBLINGS_MAX));
  }

  void clear(ObjectKey key) {
    inARow.remove(key);
  }
}
