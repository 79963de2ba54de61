package dev.mooring.depwebhook.index.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.index.decide.IndexFreshness.Stage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class IndexFreshnessTest {
  private static final Duration AGE = Duration.ofSeconds(75);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final BindingSource SOURCE = new BindingSource("compute", "7");

  @Test
  void isSettledAfterTheFirstCheck() {
    IndexFreshness first = IndexFreshness.first(SOURCE, START);

    var settled = new IndexFreshness(SOURCE, at(10), Stage.SETTLED);
    assertThat(first.stage()).isEqualTo(Stage.FIRST_LIST);
    assertThat(first.confirmed(SOURCE, at(10))).contains(settled);
    assertThat(settled.confirmed(SOURCE, at(40)))
        .contains(new IndexFreshness(SOURCE, at(40), Stage.SETTLED));
  }

  @Test
  void endsWithAnyChangeOfTheBinding() {
    var other = new BindingSource("compute", "8");

    assertThat(IndexFreshness.first(SOURCE, START).confirmed(other, at(10))).isEmpty();
    assertThat(
            new IndexFreshness(SOURCE, START, Stage.SETTLED).confirmed(BindingSource.NONE, at(10)))
        .isEmpty();
  }

  @Test
  void isFreshForTheStalenessAfterTheLastCheckAndShorterAfterTheFirstList() {
    var settled = new IndexFreshness(SOURCE, START, Stage.SETTLED);
    assertThat(settled.isFresh(at(75), AGE)).isTrue();
    assertThat(settled.isFresh(at(76), AGE)).isFalse();

    IndexFreshness first = IndexFreshness.first(SOURCE, START);
    assertThat(first.isFresh(at(30), AGE)).isTrue();
    assertThat(first.isFresh(at(31), AGE)).isFalse();
  }

  @Test
  void leavesTimeForMoreThanOneCheckBeforeItIsStale() {
    assertThat(IndexFreshness.first(SOURCE, START).nextCheck(AGE)).isEqualTo(at(10));
    assertThat(new IndexFreshness(SOURCE, START, Stage.SETTLED).nextCheck(AGE)).isEqualTo(at(30));
    assertThat(IndexFreshness.retryDelay(AGE)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void neverGoesBack() {
    var settled = new IndexFreshness(SOURCE, at(40), Stage.SETTLED);

    assertThat(settled.confirmed(SOURCE, at(30))).contains(settled);
  }

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }
}
