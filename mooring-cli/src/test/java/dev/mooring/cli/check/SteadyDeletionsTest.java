package dev.mooring.cli.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.harness.HarnessFailure;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SteadyDeletionsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void failsWhereALoadWasAskedForAndThereWasNone() {
    assertThatExceptionOfType(HarnessFailure.class)
        .isThrownBy(() -> SteadyDeletions.requireLoad(120, MINUTE, MINUTE))
        .withMessage(
            String.format(
                Locale.getDefault(Locale.Category.FORMAT),
                "only %.1f deletions a second were answered; a load is 10 at least",
                2.0));
  }

  @Test
  void takesAnyRateAboveThat() {
    assertThatCode(() -> SteadyDeletions.requireLoad(600, MINUTE, MINUTE))
        .doesNotThrowAnyException();
  }

  @Test
  void judgesNoRateWithoutARequestedLoad() {
    assertThatCode(() -> SteadyDeletions.requireLoad(20, MINUTE, Duration.ZERO))
        .doesNotThrowAnyException();
  }
}
