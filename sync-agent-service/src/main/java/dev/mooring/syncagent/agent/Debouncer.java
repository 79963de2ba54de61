package dev.mooring.syncagent.agent;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Passes a name on once it was not submitted for a while, or was submitted for long enough.
 * Thread-safe.
 */
final class Debouncer {
  /** Counts in a status are for people; each costs a write. */
  static final Duration QUIET = Duration.ofSeconds(5);

  /** Under load counts are stale before they are read: every half minute is enough. */
  static final int ROUNDS_MAX = 6;

  /** In one round: that something is wrong, and that it is right again. */
  static final int AT_ONCE_MAX = 2;

  private final Scheduler scheduler;
  private final Consumer<String> passOn;
  private final Map<String, Round> rounds = new HashMap<>();

  /**
   * @param passOn must not block for long: timers share a thread
   */
  Debouncer(Scheduler scheduler, Consumer<String> passOn) {
    this.scheduler = scheduler;
    this.passOn = passOn;
  }

  /** How a name was submitted since the current {@link #QUIET} began. */
  private static final class Round {
    private final int number;
    private boolean repeated;
    private int passedAtOnce;
    private boolean urgent;

    private Round(int number) {
      this.number = number;
    }
  }

  /**
   * Passes the name on after {@link #QUIET}, or {@link #ROUNDS_MAX} times that if it is submitted
   * again and again.
   */
  void submit(String name) {
    round(name);
  }

  /**
   * Passes the name on at once, and again as by {@link #submit}. What changes back and forth waits
   * until {@link #QUIET} is over once it was passed on {@value #AT_ONCE_MAX} times.
   */
  void submitAtOnce(String name) {
    synchronized (this) {
      Round current = round(name);
      if (current.passedAtOnce == AT_ONCE_MAX) {
        current.urgent = true;
        return;
      }
      current.passedAtOnce++;
    }
    passOn.accept(name);
  }

  /** Begins one, or notes that the name was submitted again. */
  private synchronized Round round(String name) {
    Round current = rounds.get(name);
    if (current == null) {
      return begin(name, 1);
    }
    current.repeated = true;
    return current;
  }

  private synchronized Round begin(String name, int number) {
    var begun = new Round(number);
    rounds.put(name, begun);
    scheduler.after(QUIET, () -> end(name, begun));
    return begun;
  }

  private void end(String name, Round ended) {
    synchronized (this) {
      rounds.remove(name);
      if (ended.repeated && !ended.urgent && ended.number < ROUNDS_MAX) {
        begin(name, ended.number + 1);
        return;
      }
    }
    passOn.accept(name);
  }
}
