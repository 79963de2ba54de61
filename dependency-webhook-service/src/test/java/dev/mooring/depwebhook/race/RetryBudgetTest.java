package dev.mooring.depwebhook.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.reading.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final List<Long> waited = new ArrayList<>();
  private Instant now = NOON;

  @Test
  void waitsLongerEachTimeForAbout300Milliseconds() {
    exhaust(retries(Duration.ofSeconds(10)), Duration.ZERO);

    assertThat(waited).containsExactly(10L, 20L, 40L, 80L, 80L, 80L);
  }

  @Test
  void looksFourTimesWhereRequestsAreSlow() {
    exhaust(retries(Duration.ofSeconds(10)), Duration.ofSeconds(1));

    assertThat(waited).hasSize(RetryBudget.RETRIES_MIN);
  }

  @Test
  void waitsForNothingAfterTheDeadline() {
    exhaust(retries(Duration.ofMillis(50)), Duration.ZERO);

    assertThat(waited).containsExactly(10L, 20L);
  }

  private void exhaust(RetryBudget retries, Duration look) {
    while (retries.await()) {
      now = now.plus(look);
      assertThat(waited).hasSizeLessThan(100);
    }
  }

  private RetryBudget retries(Duration timeout) {
    return new RetryBudget(
        new Deadline(() -> now, timeout),
        pause -> {
          waited.add(pause.toMillis());
          now = now.plus(pause);
        });
  }
}
