package dev.mooring.runtime.time;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** Runs something later, never on the calling thread within the call. Thread-safe. */
@FunctionalInterface
public interface Scheduler {
  /**
   * @param delay zero or less for as soon as possible
   * @param task short, and never failing: it shares its thread with all others
   */
  Scheduled after(Duration delay, Runnable task);

  /**
   * Runs an action on a virtual thread, each time a period after the end of its last run. A failed
   * run is logged.
   *
   * @param name of the thread, and in the log
   */
  default Scheduled every(Duration period, String name, Runnable action) {
    return repeat(period, name, Executors.callable(action, period));
  }

  /**
   * As {@link #every}, for an action that returns the time until its next run.
   *
   * @param period until the first run, and after a failed one
   */
  default Scheduled repeat(Duration period, String name, Callable<Duration> action) {
    return new Repetition(this, period, name, action);
  }

  /** Something that has not run yet, or has. */
  @FunctionalInterface
  interface Scheduled {
    /** Keeps it from running, if it has not begun; a repetition from running again. */
    void cancel();
  }
}
