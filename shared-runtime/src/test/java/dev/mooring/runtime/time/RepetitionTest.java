package dev.mooring.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RepetitionTest {
  private final ManualTime time = new ManualTime();

  @Test
  void waitsAsLongAsThePeriodIsAfterEachRun() {
    var runs = new AtomicInteger();
    Scheduler.Scheduled repetition =
        time.every(Duration.ofSeconds(10), "test", runs::incrementAndGet);

    time.advance(Duration.ofSeconds(10));
    await().until(() -> time.pending() == 1);

    assertThat(runs).hasValue(1);
    assertThat(time.asked()).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(10));
    repetition.cancel();
  }

  @Test
  void waitsAsLongAsARunSays() {
    Scheduler.Scheduled repetition =
        time.repeat(Duration.ofSeconds(10), "test", () -> Duration.ofSeconds(3));

    time.advance(Duration.ofSeconds(10));
    await().until(() -> time.pending() == 1);

    assertThat(time.asked()).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(3));
    repetition.cancel();
  }

  @Test
  void runsAgainAfterAnError() {
    Scheduler.Scheduled repetition =
        time.every(
            Duration.ofSeconds(10),
            "test",
            () -> {
              throw new StackOverflowError("planted");
            });

    time.advance(Duration.ofSeconds(10));

    await().until(() -> time.pending() == 1);
    repetition.cancel();
  }

  @Test
  void runsAgainAfterAFailure() {
    Scheduler.Scheduled repetition =
        time.every(
            Duration.ofSeconds(10),
            "test",
            () -> {
              throw new IllegalStateException("planted");
            });

    time.advance(Duration.ofSeconds(10));

    await().until(() -> time.pending() == 1);
    repetition.cancel();
    assertThat(time.pending()).isZero();
  }
}
