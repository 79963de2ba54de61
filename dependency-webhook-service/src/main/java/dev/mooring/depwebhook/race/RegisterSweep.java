package dev.mooring.depwebhook.race;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes expired Leases of the register. Every replica does so, and finds few after another one.
 *
 * @param register deletes at most so many Leases and returns their number
 * @param period between sweeps, unless one has left something
 */
record RegisterSweep(IntUnaryOperator register, Duration period, RaceMetrics metrics)
    implements Callable<Duration> {
  private static final Logger LOG = LoggerFactory.getLogger(RegisterSweep.class);

  /** Twice the life of a record, so that a Lease in use is rarely read. */
  static final Duration INTERVAL = Duration.ofMinutes(5);

  /**
   * With {@link #SWEPT_MAX} at most a hundred writes a second: twice the supported rate of
   * deletions.
   */
  static final Duration SOON = Duration.ofSeconds(10);

  static final int SWEPT_MAX = 1_000;

  /** Sweeps once, and returns the time until the next sweep. */
  @Override
  public Duration call() {
    try {
      int swept = register.applyAsInt(SWEPT_MAX);
      metrics.swept(swept);
      return swept == SWEPT_MAX ? SOON : period;
    } catch (KubeFailure e) {
      // Without the permission to list the register is not in use either.
      LOG.debug("Sweep of the race register failed: {}", e.getMessage());
      return period;
    }
  }
}
