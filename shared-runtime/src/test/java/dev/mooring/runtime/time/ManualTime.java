package dev.mooring.runtime.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Time that stands still until a test moves it; what has come due then runs on the test's thread.
 */
public final class ManualTime implements InstantSource, Scheduler {
  private final List<Task> tasks = new ArrayList<>();
  private final List<Duration> asked = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public synchronized Scheduled after(Duration delay, Runnable action) {
    var task = new Task(now.plus(delay), action);
    tasks.add(task);
    asked.add(delay);
    return () -> cancel(task);
  }

  /** Moves on, running what comes due in its order. */
  public void advance(Duration by) {
    Instant until = instant().plus(by);
    for (Optional<Task> next = next(until); next.isPresent(); next = next(until)) {
      next.get().action().run();
    }
    synchronized (this) {
      now = until;
    }
  }

  /** Every delay that was asked for, in order. */
  public synchronized List<Duration> asked() {
    return List.copyOf(asked);
  }

  /** What has not run and was not cancelled. */
  public synchronized int pending() {
    return tasks.size();
  }

  private synchronized Optional<Task> next(Instant until) {
    Optional<Task> next =
        tasks.stream()
            .filter(task -> !task.at().isAfter(until))
            .min(Comparator.comparing(Task::at));
    next.ifPresent(task -> {
      tasks.remove(task);
      now = task.at();
    });
    return next;
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }

  private record Task(Instant at, Runnable action) {}
}
