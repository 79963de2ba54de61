package dev.mooring.runtime.watch;

import dev.mooring.runtime.client.WatchQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Up to when it is certain that nothing is missing, and how long a watch may last so that this
 * stays known. Proofs are a whole list and a watch that the server ended when it was asked to, up
 * to when they were asked for, and a bookmark, up to when it came. That a watch was opened proves
 * nothing yet, nor does an event, which older ones may follow.
 *
 * <p>kcp up to 0.32 sends bookmarks of a type only once its cache is newer than the start of the
 * watch. So where a caller relies on the proof, watches are short until a bookmark has come.
 * Written by one thread at a time; read by any.
 */
final class CacheFreshness {
  private final Duration ageMax;
  private volatile @Nullable Instant provedUntil;
  private volatile boolean bookmarked;

  /**
   * @param ageMax that the proof may reach; zero if no caller relies on it
   */
  CacheFreshness(Duration ageMax) {
    this.ageMax = ageMax;
  }

  /** Empty if nothing was ever proved. */
  Optional<Instant> until() {
    return Optional.ofNullable(provedUntil);
  }

  /** By a list, or by a watch that the server ended when it was asked to. */
  void answered(Instant asked) {
    prove(asked);
  }

  void bookmark(Instant now) {
    bookmarked = true;
    prove(now);
  }

  /** The next answer may come from another server, or from one that was restarted. */
  void brokeOff() {
    bookmarked = false;
  }

  /**
   * For how long a watch is asked for. Two short ones in a row, of which the first proves what was
   * up to its beginning when the second one is halfway, stay within four fifths of the age.
   */
  Duration life(Instant now) {
    if (ageMax.isZero() || bookmarked) {
      return WatchQuery.LIFE;
    }
    Duration left = part(12).minus(age(now));
    Duration atMost = shorter(part(6), WatchQuery.LIFE);
    return shorter(atMost, longer(part(1), left));
  }

  /**
   * When an open watch from which nothing was proved any more is to be given up for another one;
   * empty for never. Bookmarks come every minute, a second late at times.
   *
   * @param asked when the watch was
   * @param life for which it was
   */
  Optional<Instant> patience(Instant asked, Duration life) {
    if (ageMax.isZero()) {
      return Optional.empty();
    }
    Instant end = asked.plus(part(1));
    if (!bookmarked) {
      end = end.plus(life);
    }
    Instant tooOld = provedUntil == null ? end : provedUntil.plus(part(13));
    return Optional.of(end.isAfter(tooOld) ? end : tooOld);
  }

  private void prove(Instant at) {
    if (provedUntil == null || at.isAfter(provedUntil)) {
      provedUntil = at;
    }
  }

  private Duration age(Instant now) {
    return provedUntil == null ? Duration.ZERO : Duration.between(provedUntil, now);
  }

  /** Of the age, in fifteenths. */
  private Duration part(int fifteenths) {
    return ageMax.multipliedBy(fifteenths).dividedBy(15);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
