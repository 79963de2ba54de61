package dev.mooring.depcontroller.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.control.Pace;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StatusServiceTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final StatusService service = new StatusService(Pace.STATUS_RECHECK);

  @Test
  void isThereUntilAWriteFindsItMissing() {
    assertThat(service.unavailableFor(NOON)).isEmpty();

    assertThat(service.missing(NOON)).isEqualTo(Duration.ofMinutes(1));

    assertThat(service.unavailableFor(NOON.plusSeconds(20))).contains(Duration.ofSeconds(40));
  }

  @Test
  void isTriedAgainAMinuteAfterItWasMissing() {
    service.missing(NOON);

    assertThat(service.unavailableFor(NOON.plusSeconds(60))).isEmpty();

    service.missing(NOON.plusSeconds(60));
    assertThat(service.unavailableFor(NOON.plusSeconds(61))).contains(Duration.ofSeconds(59));
  }

  @Test
  void isThereForAllRulesOnceOneWasWritten() {
    service.missing(NOON);

    service.written();

    assertThat(service.unavailableFor(NOON)).isEmpty();
  }
}
