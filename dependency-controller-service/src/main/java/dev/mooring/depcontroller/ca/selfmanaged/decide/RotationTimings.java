package dev.mooring.depcontroller.ca.selfmanaged.decide;

import java.time.Duration;

/**
 * How long a rotation waits for what nobody can see.
 *
 * @param spread for copies of configurations to reach other shards
 * @param reload for every replica of the webhook to show a new certificate
 */
public record RotationTimings(Duration spread, Duration reload) {
  public RotationTimings {
    if (spread.isNegative() || reload.isNegative()) {
      throw new IllegalArgumentException("a rotation cannot wait for less than no time");
    }
  }
}
