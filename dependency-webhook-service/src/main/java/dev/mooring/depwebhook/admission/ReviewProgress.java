package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.reading.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Whether evaluations of reviews end, and end in time. Thread-safe. */
public final class ReviewProgress {
  /**
   * An evaluation that runs for so long after its API server stopped to wait does not end: each of
   * its requests has a timeout of a few seconds.
   */
  static final Duration STUCK_AFTER = Duration.ofSeconds(30);

  /** As many reviews as one API server sends at once while it empties a namespace. */
  static final int TIMED_OUT_MAX = 25;

  /** A replica that is not ready gets no reviews, so it could not show that it is fast again. */
  static final Duration REMEMBERED = Duration.ofSeconds(30);

  private final InstantSource clock;
  private final Set<Deadline> running = ConcurrentHashMap.newKeySet();
  private int timedOut;
  private Instant lastTimeout = Instant.MIN;

  ReviewProgress(InstantSource clock) {
    this.clock = clock;
  }

  void began(Deadline review) {
    running.add(review);
  }

  void ended(Deadline review) {
    running.remove(review);
  }

  synchronized void answeredInTime() {
    timedOut = 0;
  }

  synchronized void timedOut() {
    timedOut++;
    lastTimeout = clock.instant();
  }

  /** Evaluations that do not end. */
  public long stuck() {
    return running.stream().filter(r -> r.overdue().compareTo(STUCK_AFTER) > 0).count();
  }

  /** Whether the last reviews, up to a moment ago, all timed out. */
  public synchronized boolean isTooSlow() {
    return timedOut >= TIMED_OUT_MAX && clock.instant().isBefore(lastTimeout.plus(REMEMBERED));
  }
}
