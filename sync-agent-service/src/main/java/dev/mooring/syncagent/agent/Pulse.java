package dev.mooring.syncagent.agent;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Passes names on once nothing more is told of them for a while, or has been told for long enough.
 * Thread-safe.
 */
final class Pulse {
  /** Counts in a status are for people; each costs a write. */
  static final Duration QUIET = Duration.ofSeconds(5);

  /** While much is going on, numbers are old before they are read: every half minute will do. */
  static final int ROUNDS_MAX = 6;

  private final Scheduler scheduler;
  private final Consumer<String> passOn;
  private final ConcurrentHashMap<String, Waiting> waiting = new ConcurrentHashMap<>();

  /**
   * @param passOn must not block for long: timers share a thread
   */
  Pulse(Scheduler scheduler, Consumer<String> passOn) {
    this.scheduler = scheduler;
    this.passOn = passOn;
  }

  /**
   * Passes the name on after {@link #QUIET}, or {@link #ROUNDS_MAX} times that if it is told of
   * again and again.
   */
  void tell(String name) {
    Waiting before = waiting.putIfAbsent(name, new Waiting(1, State.QUIET));
    if (before == null) {
      scheduler.after(QUIET, () -> roundEnded(name));
    } else if (before.state == State.QUIET) {
      waiting.computeIfPresent(
          name,
          (_, now) -> now.state == State.QUIET ? new Waiting(now.round, State.TOLD_AGAIN) : now);
    }
  }

  /** Passes the name on within {@link #QUIET}, whatever else is told. */
  void tellSoon(String name) {
    tell(name);
    waiting.computeIfPresent(name, (_, now) -> new Waiting(now.round, State.URGENT));
  }

  private void roundEnded(String name) {
    Waiting next =
        waiting.computeIfPresent(
            name,
            (_, now) ->
                now.state == State.TOLD_AGAIN && now.round < ROUNDS_MAX
                    ? new Waiting(now.round + 1, State.QUIET)
                    : null);
    if (next == null) {
      passOn.accept(name);
    } else {
      scheduler.after(QUIET, () -> roundEnded(name));
    }
  }

  private enum State {
    QUIET,
    TOLD_AGAIN,
    URGENT
  }

  /**
   * @param state how the name was told of since the round began
   */
  private record Waiting(int round, State state) {}
}
