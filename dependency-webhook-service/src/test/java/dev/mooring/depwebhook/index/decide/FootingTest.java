package dev.mooring.depwebhook.index.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.index.decide.Footing.Look;
import dev.mooring.depwebhook.index.decide.Footing.Stage;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FootingTest {
  private static final Duration AGE = Duration.ofSeconds(75);
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Origin ORIGIN = new Origin.Bound("compute", "uid", "s1", "i1", "7");

  @Test
  void isListedOnceMoreAtTheFirstLookAndNoMoreThen() {
    Footing fresh = Footing.begun(ORIGIN, START);

    var settled = new Footing(ORIGIN, at(10), Stage.SETTLED);
    assertThat(fresh.seen(ORIGIN, at(10))).isEqualTo(new Look.ListAgain(settled));
    assertThat(settled.seen(ORIGIN, at(40)))
        .isEqualTo(new Look.Same(new Footing(ORIGIN, at(40), Stage.SETTLED)));
  }

  @Test
  void isLostOnceTheObjectsComeFromElsewhere() {
    var other = new Origin.Bound("compute", "uid", "s2", "i1", "7");

    assertThat(Footing.begun(ORIGIN, START).seen(other, at(10)))
        .isEqualTo(new Look.Moved(ORIGIN, other));
    assertThat(new Footing(ORIGIN, START, Stage.SETTLED).seen(new Origin.Unbound(), at(10)))
        .isEqualTo(new Look.Moved(ORIGIN, new Origin.Unbound()));
  }

  @Test
  void holdsForTheAgeAfterTheLastLookAndShorterWhileItIsFresh() {
    var settled = new Footing(ORIGIN, START, Stage.SETTLED);
    assertThat(settled.holds(at(75), AGE)).isTrue();
    assertThat(settled.holds(at(76), AGE)).isFalse();

    Footing fresh = Footing.begun(ORIGIN, START);
    assertThat(fresh.holds(at(30), AGE)).isTrue();
    assertThat(fresh.holds(at(31), AGE)).isFalse();
  }

  @Test
  void leavesTimeForMoreThanOneLookBeforeItHoldsNoMore() {
    assertThat(Footing.begun(ORIGIN, START).nextLook(AGE)).isEqualTo(at(10));
    assertThat(new Footing(ORIGIN, START, Stage.SETTLED).nextLook(AGE)).isEqualTo(at(30));
    assertThat(Footing.pause(AGE)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void neverGoesBack() {
    var settled = new Footing(ORIGIN, at(40), Stage.SETTLED);

    assertThat(settled.seen(ORIGIN, at(30))).isEqualTo(new Look.Same(settled));
  }

  private static Instant at(int second) {
    return START.plusSeconds(second);
  }
}
