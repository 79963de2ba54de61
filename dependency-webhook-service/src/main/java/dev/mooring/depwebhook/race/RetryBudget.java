package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.runtime.time.Pause;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How long the review of a reference retries because of a pending deletion, which may be refused
 * itself: at least {@value #RETRIES_MIN} retries over at least {@link #MIN}. A deletion needs four
 * requests to kcp from its deletion claim to its withdrawal, a retry two, so slow requests slow
 * down both. One for each review; not thread-safe.
 */
final class RetryBudget {
  static final int RETRIES_MIN = 4;
  static final Duration MIN = Duration.ofMillis(300);

  private static final Duration FIRST = Duration.ofMillis(10);
  private static final Duration MOST = Duration.ofMillis(80);

  private final Pause pause;
  private final Deadline deadline;
  private @Nullable Instant since;
  private int retries;
  private Duration next = FIRST;

  /**
   * @param deadline end of the budget in any case
   */
  RetryBudget(Deadline deadline, Pause pause) {
    this.deadline = deadline;
    this.pause = pause;
  }

  /** Waits before the next retry; false, without waiting, if the budget is used up. */
  boolean await() {
    Instant now = deadline.now();
    if (since == null) {
      since = now;
    }
    if (!now.plus(next).isBefore(deadline.evaluateBy())
        || retries >= RETRIES_MIN && !now.isBefore(since.plus(MIN))) {
      return false;
    }
    pause.forAbout(next);
    retries++;
    next = next.multipliedBy(2).compareTo(MOST) < 0 ? next.multipliedBy(2) : MOST;
    return true;
  }
}
