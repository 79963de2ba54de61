package dev.mooring.syncagent.agent;

import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Passes names on, each at most once in a while, however often it is told of them. Thread-safe. */
final class Pulse {
  /** Counts in a status are for people; each costs a write. */
  static final Duration SPACING = Duration.ofSeconds(5);

  private final Scheduler scheduler;
  private final Consumer<String> passOn;
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();

  /**
   * @param passOn must not block for long: timers share a thread
   */
  Pulse(Scheduler scheduler, Consumer<String> passOn) {
    this.scheduler = scheduler;
    this.passOn = passOn;
  }

  /** Passes the name on within {@link #SPACING}; what is told until then is covered by that. */
  void tell(String name) {
    if (waiting.add(name)) {
      scheduler.after(
          SPACING,
          () -> {
            waiting.remove(name);
            passOn.accept(name);
          });
    }
  }
}
