package dev.mooring.depwebhook.race.decide;

import dev.mooring.model.dependency.WebhookContract;
import java.time.Duration;
import java.time.Instant;

/**
 * Upper bounds that the protocol relies on. Too small a value lets a reference and the deletion of
 * its target both succeed; too large a value only denies longer.
 *
 * @param commit longest time after its review in which an API server may still carry out a request
 * @param indexAge age at which an index no longer answers: it may lack what was committed since
 * @param skew greatest difference between the clocks of two replicas
 */
public record RaceTimings(Duration commit, Duration indexAge, Duration skew) {
  public static final RaceTimings STANDARD =
      new RaceTimings(
          WebhookContract.COMMIT_MAX,
          WebhookContract.STALENESS_MAX,
          WebhookContract.CLOCK_SKEW_MAX);

  public RaceTimings {
    if (!commit.isPositive() || !indexAge.isPositive() || skew.isNegative()) {
      throw new IllegalArgumentException(
          "invalid race timings: " + commit + ", " + indexAge + ", " + skew);
    }
  }

  /** How long after its record a request may still be carried out, by any replica's clock. */
  public Duration open() {
    return commit.plus(skew);
  }

  /** How long after its record a reference may be missing from an index. */
  public Duration kept() {
    return commit.plus(indexAge).plus(skew);
  }

  boolean openAt(Instant recorded, Instant now) {
    return !now.isAfter(recorded.plus(open()));
  }

  boolean keptAt(Instant recorded, Instant now) {
    return !now.isAfter(recorded.plus(kept()));
  }

  /** Time until a request recorded then can no longer be carried out; at least a second. */
  Duration openFor(Instant recorded, Instant now) {
    Duration left = Duration.between(now, recorded.plus(open()));
    return left.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : left;
  }
}
