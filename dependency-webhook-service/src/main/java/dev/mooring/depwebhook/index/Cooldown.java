package dev.mooring.depwebhook.index;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What is left alone for a while; so much of it and no more. Used under the lock of its owner.
 *
 * @param <K> tells one from another
 */
final class Cooldown<K> {
  private final int max;
  private final Map<K, Instant> until = new HashMap<>();

  Cooldown(int max) {
    this.max = max;
  }

  /** Does nothing where so many rest already. */
  void add(K key, Instant end) {
    if (until.size() < max) {
      until.put(key, end);
    }
  }

  boolean rests(K key, Instant now) {
    Instant end = until.get(key);
    return end != null && !end.isBefore(now);
  }

  /** Forgets those whose rest is over. */
  void sweep(Instant now) {
    until.values().removeIf(end -> end.isBefore(now));
  }
}
