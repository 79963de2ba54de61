package dev.mooring.depwebhook.eligibility;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/**
 * Which indexed rules were found to count a moment ago, in a workspace that was not going, so that
 * deletions that are refused one after the other do not have the same objects read for each. That a
 * rule does not count is never remembered: what lets a deletion go is always read anew.
 * Thread-safe.
 */
final class EligibilityCache {
  /** More than can be found in that time. */
  private static final int REMEMBERED_MAX = 20_000;

  private final Duration ageMax;
  private final InstantSource clock;
  private final Cache<Case, Instant> begun;

  /** One rule as it then was, about what it was asked. */
  record Case(
      LogicalCluster consumer,
      GroupResource targets,
      Optional<LogicalCluster> provider,
      Protection protection) {}

  /**
   * @param ageMax of what was read, counted from when its reading began; zero to remember nothing
   * @param clock that does not jump
   */
  EligibilityCache(Duration ageMax, InstantSource clock) {
    this.ageMax = Objects.requireNonNull(ageMax, "ageMax");
    this.clock = Objects.requireNonNull(clock, "clock");
    // Rules that nobody asks about are not held on to.
    this.begun =
        CacheBuilder.newBuilder().maximumSize(REMEMBERED_MAX).expireAfterWrite(ageMax).build();
  }

  Instant now() {
    return clock.instant();
  }

  boolean contains(Case asked) {
    Instant at = begun.getIfPresent(asked);
    return at != null && clock.instant().isBefore(at.plus(ageMax));
  }

  /**
   * @param at when its reading began
   */
  void add(Case found, Instant at) {
    // Strict rules ask for what is, the others for no more than an index knows.
    if (found.protection().rule().enforcement().consistency() == Consistency.INDEXED) {
      begun.put(found, at);
    }
  }
}
