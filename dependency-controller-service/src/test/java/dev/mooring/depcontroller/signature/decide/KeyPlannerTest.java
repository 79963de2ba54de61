package dev.mooring.depcontroller.signature.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.signature.decide.KeyStep.AddNext;
import dev.mooring.depcontroller.signature.decide.KeyStep.CreateFirst;
import dev.mooring.depcontroller.signature.decide.KeyStep.Promote;
import dev.mooring.depcontroller.signature.decide.KeyStep.Settle;
import dev.mooring.depcontroller.signature.decide.KeyStep.Wait;
import dev.mooring.model.identity.LogicalCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class KeyPlannerTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final KeyTimings TIMINGS =
      new KeyTimings(Duration.ofMinutes(1), Duration.ofMinutes(10));
  private static final LogicalCluster PROVIDER = new LogicalCluster("network1");

  @Test
  void theFirstKeySignsOnceEveryWebhookHasHadTimeToReadIt() {
    assertThat(plan(Optional.empty(), Optional.empty(), 0)).isEqualTo(new CreateFirst());

    var first = keys(false, true, false, Optional.empty(), false);
    assertThat(plan(Optional.of(first), Optional.empty(), 59)).isEqualTo(new Wait());
    assertThat(plan(Optional.of(first), Optional.empty(), 60)).isEqualTo(new Promote());
  }

  @Test
  void unsignedReviewsAreRefusedOnceAllIsSignedAndHasSpread() {
    var signing = keys(true, false, false, Optional.empty(), false);

    assertThat(plan(Optional.of(signing), Optional.empty(), 10_000)).isEqualTo(new Wait());
    assertThat(plan(Optional.of(signing), unsignedProviders(), 59)).isEqualTo(new Wait());
    assertThat(plan(Optional.of(signing), unsignedProviders(), 60)).isEqualTo(new Settle(none()));
  }

  @Test
  void aProviderThatCannotBeSignedIsExcusedByNameAndHoldsUpNoOther() {
    var signing = keys(true, false, false, Optional.empty(), false);

    assertThat(plan(Optional.of(signing), unsignedProviders(PROVIDER), 599)).isEqualTo(new Wait());
    assertThat(plan(Optional.of(signing), unsignedProviders(PROVIDER), 600))
        .isEqualTo(new Settle(new TreeSet<>(List.of(PROVIDER))));
  }

  @Test
  void anExcuseEndsOnceTheConfigurationIsSigned() {
    var excusing = keys(true, false, false, Optional.of(new TreeSet<>(List.of(PROVIDER))), false);

    assertThat(plan(Optional.of(excusing), unsignedProviders(PROVIDER), 10_000))
        .isEqualTo(new Wait());
    assertThat(plan(Optional.of(excusing), unsignedProviders(), 60)).isEqualTo(new Settle(none()));
  }

  @Test
  void anOldKeyIsAcceptedUntilNothingIsSignedWithItButForExcused() {
    var rotated = keys(true, false, true, Optional.of(none()), false);

    assertThat(plan(Optional.of(rotated), unsignedProviders(PROVIDER), 599)).isEqualTo(new Wait());
    assertThat(plan(Optional.of(rotated), unsignedProviders(), 59)).isEqualTo(new Wait());
    assertThat(plan(Optional.of(rotated), unsignedProviders(), 60)).isEqualTo(new Settle(none()));
    assertThat(plan(Optional.of(rotated), unsignedProviders(PROVIDER), 600))
        .isEqualTo(new Settle(new TreeSet<>(List.of(PROVIDER))));
  }

  @Test
  void makesANewKeyOnRequestOnlyAndNotWhileTheLastOneIsStillOld() {
    var settled = keys(true, false, false, Optional.of(none()), false);
    var requested = keys(true, false, false, Optional.of(none()), true);
    var rotating = keys(true, false, true, Optional.of(none()), true);
    long years = Duration.ofDays(3_650).toSeconds();

    assertThat(plan(Optional.of(requested), unsignedProviders(), 0)).isEqualTo(new AddNext());
    assertThat(plan(Optional.of(settled), unsignedProviders(), years)).isEqualTo(new Wait());
    assertThat(plan(Optional.of(rotating), Optional.empty(), years)).isEqualTo(new Wait());
  }

  private static KeyStep plan(
      Optional<KeyFacts> keys, Optional<UnsignedProviders> unsignedProviders, long afterSeconds) {
    return KeyPlanner.plan(
        keys, START, unsignedProviders, TIMINGS, START.plusSeconds(afterSeconds));
  }

  private static KeyFacts keys(
      boolean current,
      boolean next,
      boolean old,
      Optional<SortedSet<LogicalCluster>> excused,
      boolean requested) {
    return new KeyFacts(current, next, old, excused, requested);
  }

  private static Optional<UnsignedProviders> unsignedProviders(LogicalCluster... providers) {
    return Optional.of(new UnsignedProviders(new TreeSet<>(List.of(providers)), START));
  }

  private static SortedSet<LogicalCluster> none() {
    return new TreeSet<>();
  }
}
