package dev.mooring.depwebhook.race;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes expired Leases of the register. Every replica sweeps, at random times, and finds few
 * after another replica's sweep. A sweep that reached its limit is followed by the next one soon.
 * Thread-safe.
 */
final class RegisterSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisterSweep.class);

  /** Twice the life of a record, so that a Lease in use is rarely read. */
  static final Duration INTERVAL = Duration.ofMinutes(5);

  /**
   * With {@link #SWEPT_MAX} at most a hundred writes a second: twice the supported rate of
   * deletions.
   */
  static final Duration SOON = Duration.ofSeconds(10);

  static final int SWEPT_MAX = 1_000;

  private final IntUnaryOperator register;
  private final Scheduler scheduler;
  private final RandomGenerator chance;
  private final RaceListener listener;
  private volatile boolean closed;
  private volatile Scheduler.@Nullable Scheduled next;

  /**
   * @param register deletes at most so many Leases and returns their number
   */
  RegisterSweep(
      IntUnaryOperator register,
      Scheduler scheduler,
      RandomGenerator chance,
      RaceListener listener) {
    this.register = register;
    this.scheduler = scheduler;
    this.chance = chance;
    this.listener = listener;
  }

  RegisterSweep start() {
    again(INTERVAL);
    return this;
  }

  @Override
  public void close() {
    closed = true;
    Scheduler.Scheduled waiting = next;
    if (waiting != null) {
      waiting.cancel();
    }
  }

  /** After this, and up to as long again. */
  private void again(Duration pause) {
    if (!closed) {
      long spread = chance.nextLong(pause.toMillis());
      next =
          scheduler.after(
              pause.plusMillis(spread),
              () -> Thread.ofVirtual().name("race-sweep").start(this::sweep));
    }
  }

  private void sweep() {
    Duration pause = INTERVAL;
    try {
      int swept = register.applyAsInt(SWEPT_MAX);
      pause = swept < SWEPT_MAX ? INTERVAL : SOON;
      listener.swept(swept);
      LOG.debug("Deleted {} Leases of the race register", swept);
    } catch (KubeFailure e) {
      // Without the permission to list the register is not in use either.
      LOG.debug("Sweep of the race register failed: {}", e.getMessage());
    } finally {
      again(pause);
    }
  }
}
