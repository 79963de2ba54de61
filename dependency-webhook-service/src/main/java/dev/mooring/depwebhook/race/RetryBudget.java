package dev.mooring.depwebhook.race;

import dev.mooring.runtime.time.Pause;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * How long the review of a reference waits for deletions that may be refused themselves: until it
 * looked at least {@value #LOOKS_MIN} times, over at least {@link #MIN}. A deletion needs four
 * requests to kcp from its intent to taking it back, and a look is two: where requests are slow,
 * looks are too. One for each review; not thread-safe.
 */
final class RetryBudget {
  static final int LOOKS_MIN = 4;
  static final Duration MIN = Duration.ofMillis(300);

  private static final Duration FIRST = Duration.ofMillis(10);
  private static final Duration MOST = Duration.ofMillis(80);

  private final InstantSource clock;
  private final Pause pause;
  private final Instant answerBy;
  private Instant since;
  private int looks;
  private Duration next = FIRST;

  /**
   * @param answerBy nothing is waited for after this
   */
  RetryBudget(InstantSource clock, Pause pause, Instant answerBy) {
    this.clock = clock;
    this.pause = pause;
    this.answerBy = answerBy;
  }

  /** Waits a little; false, without waiting, if it has been enough. */
  boolean await() {
    Instant now = clock.instant();
    if (since == null) {
      since = now;
    }
    if (!now.plus(next).isBefore(answerBy)
        || looks >= LOOKS_MIN && !now.isBefore(since.plus(MIN))) {
      return false;
    }
    pause.forAbout(next);
    looks++;
    next = next.multipliedBy(2).compareTo(MOST) < 0 ? next.multipliedBy(2) : MOST;
    return true;
  }
}
