package dev.mooring.depwebhook.race;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Pause;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes expired Leases of the register. Every replica does so, and finds few after another one.
 *
 * @param register deletes at most so many Leases and returns their number
 */
record RegisterSweep(IntUnaryOperator register, Pause pause, RaceMetrics metrics)
    implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisterSweep.class);

  /** Twice the life of a record, so that a Lease in use is rarely read. */
  static final Duration INTERVAL = Duration.ofMinutes(5);

  /**
   * With {@link #SWEPT_MAX} at most a hundred writes a second: twice the supported rate of
   * deletions.
   */
  static final Duration SOON = Duration.ofSeconds(10);

  static final int SWEPT_MAX = 1_000;

  @Override
  public void run() {
    try {
      int swept = register.applyAsInt(SWEPT_MAX);
      while (swept == SWEPT_MAX) {
        metrics.swept(swept);
        pause.forAbout(SOON);
        swept = register.applyAsInt(SWEPT_MAX);
      }
      metrics.swept(swept);
    } catch (KubeFailure e) {
      // Without the permission to list the register is not in use either.
      LOG.debug("Sweep of the race register failed: {}", e.getMessage());
    }
  }
}
