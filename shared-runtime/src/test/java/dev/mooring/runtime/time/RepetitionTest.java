package dev.mooring.runtime.time;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RepetitionTest {
  private final ManualTime time = new ManualTime();

  @Test
  void waitsAsLongAsThePeriodIsAfterEachRun() {
    var period = new AtomicReference<>(Duration.ofSeconds(10));
    var runs = new AtomicInteger();
    Scheduler.Scheduled repetition =
        time.every(() -> requireNonNull(period.get()), "test", runs::incrementAndGet);

    period.set(Duration.ofSeconds(3));
    time.advance(Duration.ofSeconds(10));
    await().until(() -> time.pending() == 1);

    assertThat(runs).hasValue(1);
    assertThat(time.asked()).containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(3));
    repetition.cancel();
  }

  @Test
  void runsAgainAfterAnErrorAndWhileItsPeriodIsNotKnown() {
    var asked = new AtomicInteger();
    Scheduler.Scheduled repetition =
        time.every(
            () -> {
              if (asked.getAndIncrement() > 0) {
                throw new IllegalStateException("planted");
              }
              return Duration.ofSeconds(10);
            },
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
