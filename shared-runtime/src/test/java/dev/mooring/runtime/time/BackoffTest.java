package dev.mooring.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(60));

  /** Takes nothing off. */
  private static final RandomGenerator NEVER = () -> 0;

  @ParameterizedTest
  @CsvSource({"1, 100", "2, 200", "3, 400", "10, 51200", "11, 60000", "1000, 60000"})
  void doublesUpToItsBound(int failures, long millis) {
    assertThat(BACKOFF.delay(failures, NEVER)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void spreadsOverAQuarter() {
    RandomGenerator chance = RandomGenerator.of("L64X128MixRandom");

    assertThat(chance.longs(1_000).mapToObj(_ -> BACKOFF.delay(3, chance)))
        .allSatisfy(
            delay -> assertThat(delay).isBetween(Duration.ofMillis(300), Duration.ofMillis(400)))
        .anySatisfy(delay -> assertThat(delay).isLessThan(Duration.ofMillis(340)));
  }

  @Test
  void staysWithinItsBoundHoweverLongTheFirstDelay() {
    var years = new Backoff(Duration.ofDays(3_650), Duration.ofDays(36_500));

    assertThat(years.delay(64, NEVER)).isEqualTo(Duration.ofDays(36_500));
  }

  @Test
  void refusesABoundBelowItsStart() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)));
  }
}
