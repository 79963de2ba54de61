package dev.mooring.runtime.queue;

import dev.mooring.runtime.time.Backoff;
import dev.mooring.runtime.trace.Tracing;
import java.time.Duration;

/**
 * The bounds of a queue, and where its traces go.
 *
 * @param workers keys worked on at the same time
 * @param capacity keys that wait to be worked on; adding another one blocks
 * @param backoff of a key that fails
 * @param tracing of the work on keys
 */
public record QueueOptions(int workers, int capacity, Backoff backoff, Tracing tracing) {
  /** A key is some hundred bytes: this many are tens of megabytes. */
  private static final int CAPACITY = 100_000;

  /** Quick for a conflict, slow for a server that is away. */
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofMinutes(1));

  public QueueOptions {
    if (workers < 1 || capacity < 1) {
      throw new IllegalArgumentException("a queue needs a worker and a place");
    }
  }

  public static QueueOptions workers(int workers) {
    return new QueueOptions(workers, CAPACITY, BACKOFF, Tracing.OFF);
  }

  public QueueOptions withCapacity(int keys) {
    return new QueueOptions(workers, keys, backoff, tracing);
  }

  /** Work on a key is traced; {@link QueueListener#about} gives the attributes. */
  public QueueOptions tracedBy(Tracing beginner) {
    return new QueueOptions(workers, capacity, backoff, beginner);
  }

  /**
   * Adding never blocks: for the keys of objects that caches hold anyway, where the thread that
   * adds them delivers a watch. A key waits once, so the line is no longer than those caches.
   */
  public QueueOptions withoutBlocking() {
    return withCapacity(Integer.MAX_VALUE);
  }
}
