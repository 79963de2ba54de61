package dev.mooring.depcontroller.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.control.ControllerTimings;
import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatusSubresourceTest {
  private final ManualTime time = new ManualTime();
  private final StatusSubresource service =
      new StatusSubresource(ControllerTimings.STATUS_RECHECK, time);

  @Test
  void isThereUntilAWriteFindsItMissing() {
    assertThat(service.unavailableFor()).isEmpty();

    assertThat(service.missing()).isEqualTo(Duration.ofMinutes(1));

    time.advance(Duration.ofSeconds(20));
    assertThat(service.unavailableFor()).contains(Duration.ofSeconds(40));
  }

  @Test
  void isTriedAgainAMinuteAfterItWasMissing() {
    service.missing();

    time.advance(Duration.ofSeconds(60));
    assertThat(service.unavailableFor()).isEmpty();

    service.missing();
    time.advance(Duration.ofSeconds(1));
    assertThat(service.unavailableFor()).contains(Duration.ofSeconds(59));
  }

  @Test
  void isThereForAllRulesOnceOneWasWritten() {
    service.missing();

    service.written();

    assertThat(service.unavailableFor()).isEmpty();
  }
}
