package dev.mooring.depcontroller.ca.selfmanaged.decide;

import java.time.Duration;

/**
 * How long a rotation waits for processes that it cannot observe.
 *
 * @param spread for webhook configurations to be replicated to other shards
 * @param reload for every replica of the webhook to serve a new certificate
 */
public record RotationTimings(Duration spread, Duration reload) {
  public RotationTimings {
    if (spread.isNegative() || reload.isNegative()) {
      throw new IllegalArgumentException("a rotation cannot wait for less than no time");
    }
  }
}
