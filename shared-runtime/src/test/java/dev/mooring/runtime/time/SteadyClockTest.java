package dev.mooring.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyClockTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  private Instant machine = NOON;
  private long elapsed = Long.MAX_VALUE - 1;
  private final SteadyClock clock = new SteadyClock(() -> machine, () -> elapsed);

  @Test
  void followsTheMachinesClock() {
    pass(Duration.ofSeconds(5));

    assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(5));
  }

  @Test
  void goesOnWhereTheMachinesClockIsSetBack() {
    pass(Duration.ofSeconds(5));
    clock.instant();

    machine = machine.minus(Duration.ofHours(1));
    assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(5));
    pass(Duration.ofSeconds(75));

    assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(80));
  }

  @Test
  void goesOnWhereTheMachinesClockStandsStill() {
    elapsed += Duration.ofSeconds(3).toNanos();

    assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(3));
  }

  @Test
  void goesAlongWhereTheMachineSlept() {
    machine = machine.plus(Duration.ofHours(1));

    assertThat(clock.instant()).isEqualTo(NOON.plus(Duration.ofHours(1)));
  }

  @Test
  void isCaughtUpWithByAClockThatWasSetForwardAgain() {
    machine = machine.minus(Duration.ofHours(1));
    clock.instant();
    machine = machine.plus(Duration.ofHours(1));
    pass(Duration.ofSeconds(2));

    assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(2));
  }

  private void pass(Duration time) {
    machine = machine.plus(time);
    elapsed += time.toNanos();
  }
}
