package dev.mooring.depwebhook.race;

import static dev.mooring.depwebhook.race.RegisterSweep.INTERVAL;
import static dev.mooring.depwebhook.race.RegisterSweep.SOON;
import static dev.mooring.depwebhook.race.RegisterSweep.SWEPT_MAX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.ManualTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RegisterSweepTest {
  private final ManualTime time = new ManualTime();
  private final AtomicInteger forgotten = new AtomicInteger();

  @Test
  void goesOnSoonUntilNothingIsLeft() {
    forgotten.set(2 * SWEPT_MAX + 1);
    try (var _ = new RegisterSweep(this::sweep, time, () -> 0, new RaceListener() {}).start()) {
      nextRound();
      nextRound();
      nextRound();
    }

    assertThat(time.asked()).containsExactly(INTERVAL, SOON, SOON, INTERVAL);
    assertThat(forgotten).hasValue(0);
  }

  @Test
  void doesNotAskAgainSoonWhereItCannotSweep() {
    try (var _ =
        new RegisterSweep(
                _ -> {
                  throw new KubeFailure(
                      KubeFailure.Kind.FORBIDDEN, 403, "Forbidden", "403", null, null);
                },
                time,
                () -> 0,
                new RaceListener() {})
            .start()) {
      nextRound();
    }

    assertThat(time.asked()).containsExactly(INTERVAL, INTERVAL);
  }

  private int sweep(int most) {
    int swept = Math.min(most, forgotten.get());
    forgotten.addAndGet(-swept);
    return swept;
  }

  /** Until the one after it was asked for. */
  private void nextRound() {
    int asked = time.asked().size();
    time.advance(INTERVAL);
    await().until(() -> time.asked().size() > asked);
  }
}
