package dev.mooring.syncagent.publish;

import dev.mooring.syncagent.clusters.CopiedKind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/**
 * CRDs that went a short while ago: servers go on describing their types for a moment, which must
 * not be taken for types that need no CRD. Thread-safe.
 */
final class RecentlyDeletedCrds {
  static final Duration DESCRIBED_FOR = Duration.ofSeconds(45);

  private final InstantSource clock;
  private final ConcurrentHashMap<CopiedKind, Instant> lastSeen = new ConcurrentHashMap<>();

  RecentlyDeletedCrds(InstantSource clock) {
    this.clock = clock;
  }

  void going(CopiedKind kind) {
    Instant now = clock.instant();
    lastSeen.values().removeIf(seen -> isPast(seen, now));
    lastSeen.put(kind, now);
  }

  /** Whether what the server says of this type may still be about the CRD. */
  boolean mayBeDescribed(CopiedKind kind) {
    Instant seen = lastSeen.get(kind);
    return seen != null && !isPast(seen, clock.instant());
  }

  private static boolean isPast(Instant seen, Instant now) {
    return !now.isBefore(seen.plus(DESCRIBED_FOR));
  }
}
