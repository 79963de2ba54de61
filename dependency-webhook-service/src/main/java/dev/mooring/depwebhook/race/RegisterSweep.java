package dev.mooring.depwebhook.race;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes Leases of the register that no longer matter, now and then: every replica does, at its
 * own times, and finds little after another was there. Thread-safe.
 */
public final class RegisterSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisterSweep.class);

  /** Twice as long as a record matters, so that a Lease in use is rarely looked at. */
  private static final Duration INTERVAL = Duration.ofMinutes(5);

  /** Spread over the interval, these are three writes a second. */
  private static final int SWEPT_MAX = 1_000;

  private final RegisterStore register;
  private final Scheduler scheduler;
  private final RandomGenerator chance;
  private final RaceListener listener;
  private volatile boolean closed;
  private volatile Scheduler.Scheduled next;

  private RegisterSweep(
      RegisterStore register, Scheduler scheduler, RandomGenerator chance, RaceListener listener) {
    this.register = Objects.requireNonNull(register, "register");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.chance = Objects.requireNonNull(chance, "chance");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  public static RegisterSweep start(
      RegisterStore register, Scheduler scheduler, RandomGenerator chance, RaceListener listener) {
    var sweep = new RegisterSweep(register, scheduler, chance, listener);
    sweep.again();
    return sweep;
  }

  @Override
  public void close() {
    closed = true;
    Scheduler.Scheduled waiting = next;
    if (waiting != null) {
      waiting.cancel();
    }
  }

  private void again() {
    if (!closed) {
      long spread = chance.nextLong(INTERVAL.toMillis());
      next =
          scheduler.after(
              INTERVAL.plusMillis(spread),
              () -> Thread.ofVirtual().name("race-sweep").start(this::sweep));
    }
  }

  private void sweep() {
    try {
      int swept = register.sweep(SWEPT_MAX);
      listener.swept(swept);
      LOG.debug("{} Leases of the race register were deleted", swept);
    } catch (KubeFailure e) {
      // Without the right to list there is no register in use either.
      LOG.debug("The race register was not swept: {}", e.getMessage());
    } finally {
      again();
    }
  }
}
