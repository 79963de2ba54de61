package dev.mooring.syncagent.agent;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Passes names on once nothing more is told of them for a while, or has been told for long enough.
 * Thread-safe.
 */
final class Debouncer {
  /** Counts in a status are for people; each costs a write. */
  static final Duration QUIET = Duration.ofSeconds(5);

  /** While much is going on, numbers are old before they are read: every half minute will do. */
  static final int ROUNDS_MAX = 6;

  /** In one round: that something is wrong, and that it is right again. */
  static final int AT_ONCE_MAX = 2;

  private final Scheduler scheduler;
  private final Consumer<String> passOn;
  private final ConcurrentHashMap<String, Waiting> waiting = new ConcurrentHashMap<>();

  /**
   * @param passOn must not block for long: timers share a thread
   */
  Debouncer(Scheduler scheduler, Consumer<String> passOn) {
    this.scheduler = scheduler;
    this.passOn = passOn;
  }

  /**
   * Passes the name on after {@link #QUIET}, or {@link #ROUNDS_MAX} times that if it is told of
   * again and again.
   */
  void tell(String name) {
    Waiting before = waiting.putIfAbsent(name, new Waiting(1, State.QUIET, 0));
    if (before == null) {
      scheduler.after(QUIET, () -> roundEnded(name));
    } else if (before.state == State.QUIET) {
      waiting.computeIfPresent(
          name,
          (_, now) ->
              now.state == State.QUIET
                  ? new Waiting(now.round, State.TOLD_AGAIN, now.passedAtOnce)
                  : now);
    }
  }

  /**
   * Passes the name on at once, whatever else is told, and again as by {@link #tell}. What changes
   * to and fro waits until {@link #QUIET} is over once it was passed on {@value #AT_ONCE_MAX}
   * times.
   */
  void tellAtOnce(String name) {
    tell(name);
    Waiting now =
        waiting.computeIfPresent(
            name,
            (_, before) ->
                before.passedAtOnce < AT_ONCE_MAX
                    ? new Waiting(before.round, before.state, before.passedAtOnce + 1)
                    : new Waiting(before.round, State.URGENT, AT_ONCE_MAX));
    if (now == null || now.state != State.URGENT) {
      passOn.accept(name);
    }
  }

  private void roundEnded(String name) {
    Waiting next =
        waiting.computeIfPresent(
            name,
            (_, now) ->
                now.state == State.TOLD_AGAIN && now.round < ROUNDS_MAX
                    ? new Waiting(now.round + 1, State.QUIET, 0)
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
   * @param passedAtOnce how often it was passed on since
   */
  private record Waiting(int round, State state, int passedAtOnce) {}
}
