package dev.mooring.depwebhook.race.decide;

import java.time.Duration;
import java.time.Instant;

/**
 * How long the protocol has to reckon with what it cannot see. Too short a term lets a reference
 * and the deletion of its target both succeed; too long a one only refuses longer.
 *
 * @param commit longest time after its review within which an API server may still carry out a
 *     request
 * @param indexAge at this age an index no longer answers: it may lack what was committed since
 * @param skew greatest difference between the clocks of two replicas
 */
public record RaceTimings(Duration commit, Duration indexAge, Duration skew) {
  /**
   * An API server gives up a request after 60 s, and 5 s are for a write that is already on its
   * way; it sends bookmarks once a minute, and 15 s are for its watch cache; clocks that are
   * synchronised at all differ by much less than 5 s.
   */
  public static final RaceTimings STANDARD =
      new RaceTimings(Duration.ofSeconds(65), Duration.ofSeconds(75), Duration.ofSeconds(5));

  public RaceTimings {
    if (!commit.isPositive() || !indexAge.isPositive() || skew.isNegative()) {
      throw new IllegalArgumentException(
          "no terms for a race: " + commit + ", " + indexAge + ", " + skew);
    }
  }

  /** How long after its record a request may still be carried out, by whoever's clock. */
  public Duration open() {
    return commit.plus(skew);
  }

  /** How long after its record a reference may be missing from an index. */
  public Duration remembered() {
    return commit.plus(indexAge).plus(skew);
  }

  boolean openAt(Instant recorded, Instant now) {
    return !now.isAfter(recorded.plus(open()));
  }

  boolean rememberedAt(Instant recorded, Instant now) {
    return !now.isAfter(recorded.plus(remembered()));
  }

  /** Until what was recorded then can no longer be carried out; at least a second. */
  Duration openFor(Instant recorded, Instant now) {
    Duration left = Duration.between(now, recorded.plus(open()));
    return left.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : left;
  }
}
