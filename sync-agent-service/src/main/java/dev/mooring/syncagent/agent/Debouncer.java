package dev.mooring.syncagent.agent;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
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
  private final ConcurrentHashMap<String, Waiting> waiting = new ConcurrentHashMap<>();

  /**
   * @param passOn must not block for long: timers share a thread
   */
  Debouncer(Scheduler scheduler, Consumer<String> passOn) {
    this.scheduler = scheduler;
    this.passOn = passOn;
  }

  /**
   * Passes the name on after {@link #QUIET}, or {@link #ROUNDS_MAX} times that if it is submitted
   * again and again.
   */
  void submit(String name) {
    Waiting before = waiting.putIfAbsent(name, new Waiting(1, State.QUIET, 0));
    if (before == null) {
      scheduler.after(QUIET, () -> roundEnded(name));
    } else if (before.state == State.QUIET) {
      waiting.computeIfPresent(
          name,
          (_, now) ->
              now.state == State.QUIET
                  ? new Waiting(now.round, State.REPEATED, now.passedAtOnce)
                  : now);
    }
  }

  /**
   * Passes the name on at once, and again as by {@link #submit}. What changes back and forth waits
   * until {@link #QUIET} is over once it was passed on {@value #AT_ONCE_MAX} times.
   */
  void submitAtOnce(String name) {
    submit(name);
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
                now.state == State.REPEATED && now.round < ROUNDS_MAX
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
    REPEATED,
    URGENT
  }

  /**
   * @param state how the name was submitted since the round began
   * @param passedAtOnce how often it was passed on since
   */
  private record Waiting(int round, State state, int passedAtOnce) {}
}
