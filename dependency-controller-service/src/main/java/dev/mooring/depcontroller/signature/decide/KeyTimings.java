package dev.mooring.depcontroller.signature.decide;

import java.time.Duration;

/**
 * How long a change of keys waits.
 *
 * @param spread for webhooks to read the Secret, and for configurations to reach other shards
 * @param patience for configurations that cannot be written, before their providers are excused
 */
public record KeyTimings(Duration spread, Duration patience) {
  /** Several times the period in which a webhook reads the Secret, 5 s. */
  public static final Duration SPREAD_MIN = Duration.ofSeconds(20);

  public KeyTimings {
    if (spread.isNegative() || patience.compareTo(spread) < 0) {
      throw new IllegalArgumentException(
          "patience " + patience + " is shorter than spread " + spread);
    }
  }
}
