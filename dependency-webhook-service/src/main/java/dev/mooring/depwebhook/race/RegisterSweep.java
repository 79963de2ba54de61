package dev.mooring.depwebhook.race;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes Leases of the register that no longer matter, now and then: every replica does, at its
 * own times, and finds little after another was there. Where one round was not enough the next is
 * soon, so that Leases do not pile up while many targets are deleted. Thread-safe.
 */
public final class RegisterSweep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisterSweep.class);

  /** Twice as long as a record matters, so that a Lease in use is rarely looked at. */
  static final Duration INTERVAL = Duration.ofMinutes(5);

  /**
   * With {@link #SWEPT_MAX} a hundred writes a second at most: twice the deletions that are meant
   * to be borne.
   */
  static final Duration SOON = Duration.ofSeconds(10);

  static final int SWEPT_MAX = 1_000;

  private final IntUnaryOperator register;
  private final Scheduler scheduler;
  private final RandomGenerator chance;
  private final RaceListener listener;
  private volatile boolean closed;
  private volatile Scheduler.Scheduled next;

  private RegisterSweep(
      IntUnaryOperator register,
      Scheduler scheduler,
      RandomGenerator chance,
      RaceListener listener) {
    this.register = Objects.requireNonNull(register, "register");
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    this.chance = Objects.requireNonNull(chance, "chance");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  public static RegisterSweep start(
      RegisterStore register, Scheduler scheduler, RandomGenerator chance, RaceListener listener) {
    return start(register::sweep, scheduler, chance, listener);
  }

  /**
   * @param register deletes so many Leases at most, and says how many it did
   */
  static RegisterSweep start(
      IntUnaryOperator register,
      Scheduler scheduler,
      RandomGenerator chance,
      RaceListener listener) {
    var sweep = new RegisterSweep(register, scheduler, chance, listener);
    sweep.again(INTERVAL);
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
      LOG.debug("{} Leases of the race register were deleted", swept);
    } catch (KubeFailure e) {
      // Without the right to list there is no register in use either.
      LOG.debug("The race register was not swept: {}", e.getMessage());
    } finally {
      again(pause);
    }
  }
}
