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

  private final CacheFreshness proof = new CacheFreshness(AGE);

  @ParameterizedTest
  @CsvSource({"0, 30", "30, 30", "31, 29", "50, 10", "56, 5", "300, 5"})
  void asksForWatchesThatEndBeforeTheProofIsTooOld(long age, long life) {
    proof.answered(at(0));

    assertThat(proof.life(at(age))).isEqualTo(Duration.ofSeconds(life));
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
    proof.answered(at(0));
    proof.bookmark(at(28));
    proof.answered(at(0));

    assertThat(proof.life(at(30))).isEqualTo(WatchQuery.LIFE);
    assertThat(proof.until()).hasValue(at(28));

    proof.brokeOff();
    assertThat(proof.life(at(30))).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void asksForNoWatchLongerThanUsual() {
    assertThat(new CacheFreshness(Duration.ofHours(2)).life(at(0))).isEqualTo(WatchQuery.LIFE);
  }

  @Test
  void provesOnlyUpToWhenAWatchThatEndedWasAskedFor() {
    proof.answered(at(0));

    proof.answered(at(10));

    assertThat(proof.until()).hasValue(at(10));
  }

  @Test
  void givesUpALongWatchWithoutABookmarkBeforeTheProofIsTooOld() {
    proof.bookmark(at(28));
    assertThat(proof.patience(at(30), WatchQuery.LIFE)).hasValue(at(28 + 65));

    proof.bookmark(at(90));
    assertThat(proof.patience(at(30), WatchQuery.LIFE)).hasValue(at(90 + 65));
  }

  @Test
  void givesUpAShortWatchThatDoesNotEnd() {
    proof.answered(at(0));
    assertThat(proof.patience(at(30), Duration.ofSeconds(30))).hasValue(at(65));

    assertThat(proof.patience(at(65), Duration.ofSeconds(5))).hasValue(at(75));
  }

  /** Whatever it costs to open a watch, and whenever one was lost. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 4})
  void neverLetsTheProofOfAnIdleTypeGrowTooOld(long opening) {
    proof.answered(at(0));
    long now = 0;
    for (int watch = 0; watch < 40; watch++) {
      Instant asked = at(now);
      Duration life = proof.life(asked);
      long end = now + opening + life.toSeconds();
      assertThat(Duration.between(proof.until().orElseThrow(), at(end))).isLessThan(AGE);
      assertThat(proof.patience(asked, life).orElseThrow()).isAfterOrEqualTo(at(end));
      proof.answered(asked);
      now = end;
    }
  }

  private static Instant at(long seconds) {
    return Instant.EPOCH.plusSeconds(seconds);
  }
}
