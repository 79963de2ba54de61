package dev.mooring.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.client.WatchQuery;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CacheFreshnessTest {
  private static final Duration AGE = Duration.ofSeconds(75);

  private final CacheFreshness freshness = new CacheFreshness(AGE);

  @ParameterizedTest
  @CsvSource({"0, 30", "30, 30", "31, 29", "50, 10", "56, 5", "300, 5"})
  void asksForWatchesThatEndBeforeTheProofIsTooOld(long age, long life) {
    freshness.answered(at(0));

    assertThat(freshness.life(at(age))).isEqualTo(Duration.ofSeconds(life));
  }

  @Test
  void leavesWatchesTheirUsualLifeWithoutAMaxStaleness() {
    var unasked = new CacheFreshness(Duration.ZERO);
    unasked.answered(at(0));

    assertThat(unasked.life(at(100))).isEqualTo(WatchQuery.LIFE);
    assertThat(unasked.patience(at(100), WatchQuery.LIFE)).isEmpty();
  }

  @Test
  void leavesWatchesTheirUsualLifeOnceBookmarksComeUntilOneBreaksOff() {
    freshness.answered(at(0));
    freshness.bookmark(at(28));
    freshness.answered(at(0));

    assertThat(freshness.life(at(30))).isEqualTo(WatchQuery.LIFE);
    assertThat(freshness.until()).hasValue(at(28));

    freshness.brokeOff();
    assertThat(freshness.life(at(30))).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void asksForNoWatchLongerThanUsual() {
    assertThat(new CacheFreshness(Duration.ofHours(2)).life(at(0))).isEqualTo(WatchQuery.LIFE);
  }

  @Test
  void provesOnlyUpToWhenAWatchThatEndedWasAskedFor() {
    freshness.answered(at(0));

    freshness.answered(at(10));

    assertThat(freshness.until()).hasValue(at(10));
  }

  @Test
  void givesUpALongWatchWithoutABookmarkBeforeTheProofIsTooOld() {
    freshness.bookmark(at(28));
    assertThat(freshness.patience(at(30), WatchQuery.LIFE)).hasValue(at(28 + 65));

    freshness.bookmark(at(90));
    assertThat(freshness.patience(at(30), WatchQuery.LIFE)).hasValue(at(90 + 65));
  }

  @Test
  void givesUpAShortWatchThatDoesNotEnd() {
    freshness.answered(at(0));
    assertThat(freshness.patience(at(30), Duration.ofSeconds(30))).hasValue(at(65));

    assertThat(freshness.patience(at(65), Duration.ofSeconds(5))).hasValue(at(75));
  }

  /** Whatever it costs to open a watch, and whenever one was lost. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 4})
  void neverLetsTheProofOfAnIdleTypeGrowTooOld(long opening) {
    freshness.answered(at(0));
    long now = 0;
    for (int watch = 0; watch < 40; watch++) {
      Instant asked = at(now);
      Duration life = freshness.life(asked);
      long end = now + opening + life.toSeconds();
      assertThat(Duration.between(freshness.until().orElseThrow(), at(end))).isLessThan(AGE);
      assertThat(freshness.patience(asked, life).orElseThrow()).isAfterOrEqualTo(at(end));
      freshness.answered(asked);
      now = end;
    }
  }

  private static Instant at(long seconds) {
    return Instant.EPOCH.plusSeconds(seconds);
  }
}
