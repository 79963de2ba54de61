package dev.mooring.depwebhook.race;

import static dev.mooring.depwebhook.race.RegisterSweep.SOON;
import static dev.mooring.depwebhook.race.RegisterSweep.SWEPT_MAX;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.client.KubeFailure;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class RegisterSweepTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final AtomicInteger forgotten = new AtomicInteger();
  private final List<Duration> paused = new ArrayList<>();

  @Test
  void goesOnSoonUntilNothingIsLeft() {
    forgotten.set(2 * SWEPT_MAX + 1);

    sweep(most -> {
      int swept = Math.min(most, forgotten.get());
      forgotten.addAndGet(-swept);
      return swept;
    });

    assertThat(paused).containsExactly(SOON, SOON);
    assertThat(forgotten).hasValue(0);
    assertThat(meters.get("mooring.dependency.webhook.race.leases.swept").counter().count())
        .isEqualTo(2.0 * SWEPT_MAX + 1);
  }

  @Test
  void doesNotAskAgainSoonWhereItCannotSweep() {
    sweep(_ -> {
      throw new KubeFailure(KubeFailure.Kind.FORBIDDEN, 403, "Forbidden", "403", null, null);
    });

    assertThat(paused).isEmpty();
  }

  private void sweep(IntUnaryOperator register) {
    new RegisterSweep(register, paused::add, new RaceMetrics(meters)).run();
  }
}
