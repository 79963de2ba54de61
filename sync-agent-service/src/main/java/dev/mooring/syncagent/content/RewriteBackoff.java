package dev.mooring.syncagent.content;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Slows down writes that a controller or webhook undoes: the same content of the same copy again
 * and again. A copy that is removed or changed now and then is written at once. Thread-safe.
 *
 * @param <K> what names a copy
 */
public final class RewriteBackoff<K> {
  /** Of conditions and events. */
  public static final String REASON = "CopyKeepsChanging";

  /** Writes of the same content that nothing delays. */
  static final int FREE = 5;

  private static final Duration FIRST = Duration.ofSeconds(2);

  /** Doublings of {@link #FIRST}: about four minutes at most. */
  private static final int DOUBLINGS_MAX = 7;

  /** After that, a write is the first again. */
  private static final Duration MEMORY = Duration.ofMinutes(15);

  /** A hundred bytes each; past that, all are forgotten. */
  private static final int COPIES_MAX = 10_000;

  private final InstantSource clock;
  private final ConcurrentHashMap<K, Written> written = new ConcurrentHashMap<>();

  private record Written(int content, int times, Instant at) {}

  /**
   * @param clock may be any that does not go back
   */
  public RewriteBackoff(InstantSource clock) {
    this.clock = clock;
  }

  /** How long the write has to wait; zero if it need not. */
  public Duration delay(K copy, Object content) {
    Written last = written.get(copy);
    if (last == null || last.content() != content.hashCode() || last.times() < FREE) {
      return Duration.ZERO;
    }
    Duration wait = FIRST.multipliedBy(1L << Math.min(last.times() - FREE, DOUBLINGS_MAX));
    Duration rest = Duration.between(clock.instant(), last.at().plus(wait));
    return rest.isPositive() ? rest : Duration.ZERO;
  }

  /** The content was written; returns how many times in a row. */
  public int wrote(K copy, Object content) {
    if (written.size() >= COPIES_MAX) {
      written.clear();
    }
    Instant now = clock.instant();
    return written
        .merge(
            copy,
            new Written(content.hashCode(), 1, now),
            (last, first) ->
                last.content() == first.content() && now.isBefore(last.at().plus(MEMORY))
                    ? new Written(first.content(), last.times() + 1, now)
                    : first)
        .times();
  }

  /** The copy is not needed any more. */
  public void forget(K copy) {
    written.remove(copy);
  }
}
