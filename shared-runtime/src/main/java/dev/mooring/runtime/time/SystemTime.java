package dev.mooring.runtime.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's time and chance. Components receive them at start-up and ask nowhere else, so that
 * tests can give them theirs. Thread-safe.
 */
public final class SystemTime {
  private static final Logger LOG = LoggerFactory.getLogger(SystemTime.class);
  private static final ScheduledThreadPoolExecutor TIMER = timer();
  private static final InstantSource STEADY = new SteadyClock(Instant::now, System::nanoTime);

  private SystemTime() {}

  /** For points in time that others read. */
  public static InstantSource clock() {
    return Instant::now;
  }

  /**
   * For ages: one for the whole process, which never goes back, also where an operator sets the
   * machine's clock back.
   */
  public static InstantSource steadyClock() {
    return STEADY;
  }

  public static Clocks clocks() {
    return new Clocks(clock(), steadyClock());
  }

  /** Not for secrets. */
  public static RandomGenerator random() {
    return () -> ThreadLocalRandom.current().nextLong();
  }

  public static Pause pause() {
    return duration -> {
      try {
        Thread.sleep(duration);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  /** One thread for the whole process, whose tasks must be short. */
  public static Scheduler scheduler() {
    return SystemTime::schedule;
  }

  private static Scheduler.Scheduled schedule(Duration delay, Runnable task) {
    Future<?> future =
        TIMER.schedule(logged(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  /** The executor would keep a failure for a caller that asks for it. */
  private static Runnable logged(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.error("A task of the timer failed", e);
      }
    };
  }

  private static ScheduledThreadPoolExecutor timer() {
    var timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("mooring-timer").daemon().factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }
}
