package dev.mooring.runtime.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

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

  /**
   * Moves on, running in its order what had come due of all that was asked for before the call.
   * What other threads ask for meanwhile waits for the next call, however soon it is due: otherwise
   * a quick thread would have two delays pass in one step and a slow one would not.
   */
  public void advance(Duration by) {
    Instant until = instant().plus(by);
    for (Task task : due(until)) {
      if (begin(task)) {
        task.action().run();
      }
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

  private synchronized List<Task> due(Instant until) {
    return tasks.stream()
        .filter(task -> !task.at().isAfter(until))
        .sorted(Comparator.comparing(Task::at))
        .toList();
  }

  /** False if it was cancelled meanwhile. */
  private synchronized boolean begin(Task task) {
    if (!tasks.remove(task)) {
      return false;
    }
    now = task.at();
    return true;
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }

  private record Task(Instant at, Runnable action) {}
}
