package dev.mooring.runtime.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after failures: twice as long each time, up to a bound.
 *
 * @param first after the first failure
 * @param most however many failures there were
 */
public record Backoff(Duration first, Duration most) {
  /** Past this many doublings every bound in use has been reached. */
  private static final int DOUBLINGS_MAX = 30;

  public Backoff {
    if (!first.isPositive() || most.compareTo(first) < 0) {
      throw new IllegalArgumentException("not a backoff: " + first + " to " + most);
    }
  }

  /**
   * @param failures in a row so far, the present one included; at least 1
   * @param chance spreads the delay over 75 to 100 % of its value, so that what failed together is
   *     not tried again together
   */
  public Duration delay(int failures, RandomGenerator chance) {
    if (failures < 1) {
      throw new IllegalArgumentException("nothing has failed");
    }
    long doublings = Math.min(failures - 1, DOUBLINGS_MAX);
    long full =
        doublings >= Long.numberOfLeadingZeros(first.toMillis()) - 1
            ? most.toMillis()
            : Math.min(first.toMillis() << doublings, most.toMillis());
    long spread = full / 4;
    return Duration.ofMillis(full - (spread == 0 ? 0 : chance.nextLong(spread + 1)));
  }
}
