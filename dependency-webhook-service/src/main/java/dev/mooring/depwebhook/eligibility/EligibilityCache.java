package dev.mooring.depwebhook.eligibility;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Indexed rules that were eligible a moment ago, in a workspace that was active, so that a series
 * of denied deletions does not read the same objects for each. That a rule is not eligible is never
 * cached. Thread-safe.
 */
final class EligibilityCache {
  /** More than one replica checks within the TTL. */
  private static final int REMEMBERED_MAX = 20_000;

  /** No TTL is longer. */
  private static final Duration AGE_MAX = Duration.ofMinutes(1);

  private final Duration ageMax;
  private final InstantSource clock;
  private final Cache<Key, Instant> begun;

  /** One rule in one version, for one kind of target. */
  record Key(
      LogicalCluster consumer,
      GroupResource targets,
      Optional<LogicalCluster> provider,
      MatchedRule protection) {}

  /**
   * @param ageMax TTL, from the begin of the reads; zero to use nothing
   * @param clock that does not jump
   */
  EligibilityCache(Duration ageMax, InstantSource clock) {
    this.ageMax = ageMax;
    this.clock = clock;
    // Evicts entries that are no longer asked for.
    this.begun =
        CacheBuilder.newBuilder().maximumSize(REMEMBERED_MAX).expireAfterWrite(AGE_MAX).build();
  }

  Instant now() {
    return clock.instant();
  }

  boolean contains(Key asked) {
    Instant at = begun.getIfPresent(asked);
    return at != null && clock.instant().isBefore(at.plus(ageMax));
  }

  /**
   * @param at when its reads began
   */
  void add(Key found, Instant at) {
    // Strict rules ask for the current state.
    if (found.protection().rule().enforcement().consistency() == Consistency.INDEXED) {
      begun.put(found, at);
    }
  }
}
