package dev.mooring.depwebhook.race.decide;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.race.decide.DeletionStep.Answer;
import dev.mooring.depwebhook.race.decide.DeletionStep.Finding;
import dev.mooring.depwebhook.race.decide.LiveDependent.Relation;
import dev.mooring.depwebhook.race.decide.ReferenceStep.Demand;
import dev.mooring.depwebhook.race.decide.ReferenceStep.LiveTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Single steps; what all of them come to together is proved by {@link RaceProtocolLaws}. */
class RaceStepsTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final RaceTimings TIMINGS = RaceTimings.STANDARD;
  private static final Refusal IN_FLIGHT =
      new Refusal.ReferenceUnderWay(dependent("second"), TIMINGS.open());

  @Test
  void aDeletionGoesOnReadingWhereTheFirstReferrerDoesNotCount() {
    DeletionStep step = claimed("first", "second").read(refers("first"), AT);
    assertThat(step).isInstanceOf(DeletionStep.LookUp.class);

    step = ((DeletionStep.LookUp) step).found(Finding.FREE);

    assertThat(step)
        .isInstanceOfSatisfying(
            DeletionStep.ReadDependent.class,
            next -> {
              assertThat(next.dependent()).isEqualTo(dependent("second"));
              assertThat(next.read(new LiveDependent.Absent(), AT))
                  .isInstanceOfSatisfying(
                      DeletionStep.Withdraw.class,
                      refused ->
                          assertThat(refused.answer()).isEqualTo(new Answer.Refused(IN_FLIGHT)));
            });
  }

  @Test
  void aDeletionIsGrantedOnceEverythingWasReadAndNothingRefers() {
    DeletionStep.LookUp last = (DeletionStep.LookUp) claimed("first").read(unrelated("first"), AT);

    assertThat(last.referrer()).isEmpty();
    assertThat(last.found(Finding.FREE)).isEqualTo(new DeletionStep.Answered(new Answer.Granted()));
  }

  @Test
  void aDeletionForWhichThereIsNoTimeTakesItsIntentBack() {
    for (DeletionStep.Access access :
        List.of(
            new DeletionStep.ClaimDeletion(deletion()),
            new DeletionStep.ReadReferenceClaims(deletion()),
            claimed("first"),
            (DeletionStep.LookUp) claimed("first").read(refers("first"), AT))) {
      assertThat(access.failed("late"))
          .isInstanceOfSatisfying(
              DeletionStep.Withdraw.class,
              withdrawn ->
                  assertThat(withdrawn.answer())
                      .isEqualTo(new Answer.Refused(new Refusal.Unknown("late"))));
    }
  }

  @Test
  void aReferenceToWhatIsNotThereGoesAheadUnlessATargetIsDemanded() {
    assertThat(looking(Demand.ANY).read(List.of(), AT))
        .isEqualTo(new ReferenceStep.Answered(Optional.empty()));
    assertThat(looking(Demand.PRESENT).read(List.of(), AT))
        .isEqualTo(
            new ReferenceStep.Withdraw(reference(Demand.PRESENT), new Refusal.TargetMissing()));
    assertThat(
            looking(Demand.PRESENT)
                .read(List.of(new LiveTarget("v1", LiveTarget.Phase.ACTIVE)), AT))
        .isEqualTo(new ReferenceStep.Answered(Optional.empty()));
  }

  @Test
  void aReferenceForWhichThereIsNoTimeTakesItsAnnouncementBack() {
    ReferenceStep.ReviewContext review = reference(Demand.ANY);
    var late = new Refusal.Unknown("late");
    for (ReferenceStep.Access access :
        List.of(
            new ReferenceStep.ClaimReference(review),
            new ReferenceStep.ReadDeletionClaims(review, Optional.empty()),
            looking(Demand.ANY))) {
      assertThat(access.failed("late")).isEqualTo(new ReferenceStep.Withdraw(review, late));
    }
    var deletion = new Refusal.DeletionUnderWay(Duration.ofSeconds(1));
    assertThat(new ReferenceStep.Await(review, deletion).enough())
        .isEqualTo(new ReferenceStep.Withdraw(review, deletion));
  }

  private static DeletionStep.ReadDependent claimed(String... uids) {
    List<ReferenceClaim> referenceClaims =
        List.of(uids).stream().map(RaceStepsTest::creation).toList();
    return new DeletionStep.ReadDependent(deletion(), Optional.empty(), referenceClaims);
  }

  private static DeletionStep.ReviewContext deletion() {
    return new DeletionStep.ReviewContext(
        new DeletionClaim("i", "target", AT), "default", Recording.RECORDED, TIMINGS);
  }

  private static ReferenceStep.ReadTarget looking(Demand demand) {
    return new ReferenceStep.ReadTarget(reference(demand), List.of(), Optional.empty());
  }

  private static ReferenceStep.ReviewContext reference(Demand demand) {
    return new ReferenceStep.ReviewContext(creation("first"), demand, Recording.RECORDED, TIMINGS);
  }

  private static ReferenceClaim creation(String uid) {
    return new ReferenceClaim(
        "of-" + uid, dependent(uid), "default", new ReferenceClaim.Request.Creation(), AT);
  }

  private static LiveDependent refers(String uid) {
    return new LiveDependent.Present(uid, "7", Relation.REFERS);
  }

  private static LiveDependent unrelated(String uid) {
    return new LiveDependent.Present(uid, "7", Relation.DOES_NOT_REFER);
  }

  private static DependentId dependent(String uid) {
    return new DependentId(MACHINES, "default", "vm-of-" + uid, uid);
  }
}
