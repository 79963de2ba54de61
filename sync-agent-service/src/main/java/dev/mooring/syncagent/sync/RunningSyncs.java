package dev.mooring.syncagent.sync;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * The syncs that run, by name; one at a time for each name. Closing one waits for its work under
 * way, without a lock: other callers do not wait. Thread-safe, but for one name {@link #replace}
 * and {@link #remove} are one thread's at a time.
 */
final class RunningSyncs<T extends RunningSyncs.Drained> {
  /** Longer than a request may take. */
  static final Duration DRAIN = Duration.ofSeconds(35);

  private final TreeMap<String, T> running = new TreeMap<>();
  private boolean closed;

  /** Something that has to come to its end. */
  interface Drained {
    /** Lets work under way end, for so long at most. Idempotent. */
    void close(Duration drain);
  }

  /**
   * Ends what has the name, then starts something else; empty, with nothing started, once closed.
   */
  Optional<T> replace(String name, Supplier<T> start) {
    find(name).ifPresent(before -> before.close(DRAIN));
    synchronized (this) {
      running.remove(name);
      if (closed) {
        return Optional.empty();
      }
      T next = start.get();
      running.put(name, next);
      return Optional.of(next);
    }
  }

  /** Ends what has the name; empty if nothing did. */
  Optional<T> remove(String name) {
    Optional<T> removed;
    synchronized (this) {
      removed = Optional.ofNullable(running.remove(name));
    }
    removed.ifPresent(before -> before.close(DRAIN));
    return removed;
  }

  synchronized Optional<T> find(String name) {
    return Optional.ofNullable(running.get(name));
  }

  /** In order of their names. */
  synchronized List<T> all() {
    return List.copyOf(running.values());
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Ends everything at the same time, and starts nothing any more. */
  void close(Duration drain) {
    List<T> last;
    synchronized (this) {
      closed = true;
      last = List.copyOf(running.values());
      running.clear();
    }
    try (var ending = Executors.newVirtualThreadPerTaskExecutor()) {
      last.forEach(each -> ending.submit(() -> each.close(drain)));
    }
  }
}
