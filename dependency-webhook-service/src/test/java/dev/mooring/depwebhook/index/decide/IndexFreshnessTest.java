package dev.mooring.depwebhook.index.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.index.decide.IndexFreshness.Look;
import dev.mooring.depwebhook.index.decide.IndexFreshness.Stage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class IndexFreshnessTest {
  private static final Duration AGE = Duration.ofSeconds(75);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final BindingSource ORIGIN =
      new BindingSource.Bound("compute", "uid", "s1", "i1", "7");

  @Test
  void isListedOnceMoreAtTheFirstLookAndNoMoreThen() {
    IndexFreshness fresh = IndexFreshness.begun(ORIGIN, START);

    var settled = new IndexFreshness(ORIGIN, at(10), Stage.SETTLED);
    assertThat(fresh.seen(ORIGIN, at(10))).isEqualTo(new Look.ListAgain(settled));
    assertThat(settled.seen(ORIGIN, at(40)))
        .isEqualTo(new Look.Same(new IndexFreshness(ORIGIN, at(40), Stage.SETTLED)));
  }

  @Test
  void isLostOnceTheObjectsComeFromElsewhere() {
    var other = new BindingSource.Bound("compute", "uid", "s2", "i1", "7");

    assertThat(IndexFreshness.begun(ORIGIN, START).seen(other, at(10)))
        .isEqualTo(new Look.Moved(ORIGIN, other));
    assertThat(
            new IndexFreshness(ORIGIN, START, Stage.SETTLED)
                .seen(new BindingSource.Unbound(), at(10)))
        .isEqualTo(new Look.Moved(ORIGIN, new BindingSource.Unbound()));
  }

  @Test
  void holdsForTheAgeAfterTheLastLookAndShorterWhileItIsFresh() {
    var settled = new IndexFreshness(ORIGIN, START, Stage.SETTLED);
    assertThat(settled.holds(at(75), AGE)).isTrue();
    assertThat(settled.holds(at(76), AGE)).isFalse();

    IndexFreshness fresh = IndexFreshness.begun(ORIGIN, START);
    assertThat(fresh.holds(at(30), AGE)).isTrue();
    assertThat(fresh.holds(at(31), AGE)).isFalse();
  }

  @Test
  void leavesTimeForMoreThanOneLookBeforeItHoldsNoMore() {
    assertThat(IndexFreshness.begun(ORIGIN, START).nextLook(AGE)).isEqualTo(at(10));
    assertThat(new IndexFreshness(ORIGIN, START, Stage.SETTLED).nextLook(AGE)).isEqualTo(at(30));
    assertThat(IndexFreshness.pause(AGE)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void neverGoesBack() {
    var settled = new IndexFreshness(ORIGIN, at(40), Stage.SETTLED);

    assertThat(settled.seen(ORIGIN, at(30))).isEqualTo(new Look.Same(settled));
  }

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }
}
