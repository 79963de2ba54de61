package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.race.decide.Refusal.DeletionUnderWay;
import dev.mooring.depwebhook.race.decide.Refusal.TargetMissing;
import dev.mooring.depwebhook.race.decide.Refusal.TargetTerminating;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The reference's side of the protocol: the next access in the review of a request that makes an
 * object refer to a target. The result of each access gives the next step.
 *
 * <ol>
 *   <li>Claim the reference: from now on a deletion of the target sees it.
 *   <li>Read the deletion claims: a deletion that did not see the reference claim wrote its
 *       deletion claim before.
 *   <li>Read the target: its uid, and whether it exists and is terminating.
 *   <li>If only a pending deletion conflicts, read again: that deletion either saw the reference
 *       claim and withdraws its deletion claim, or did not and removes the target.
 *   <li>If the reference is refused, withdraw the reference claim.
 * </ol>
 */
public sealed interface ReferenceStep {
  /** Whether the target has to exist. */
  enum Demand {
    /** A reference to a missing target is allowed. */
    ANY,
    /** {@code requireTarget}. */
    PRESENT
  }

  /** A target as a live read returned it. */
  public record LiveTarget(String uid, Phase phase) {

    /** Whether its deletion was requested. */
    public enum Phase {
      ACTIVE,
      TERMINATING
    }
  }

  static ReferenceStep first(
      ReferenceClaim claim, Demand demand, Recording recording, RaceTimings timings) {
    var review = new ReviewContext(claim, demand, recording, timings);
    return switch (recording) {
      case RECORDED -> new ClaimReference(review);
      case DRY_RUN -> new ReadDeletionClaims(review, Optional.empty());
    };
  }

  /** A step that may fail, or for which there may be no time. */
  sealed interface Access extends ReferenceStep {
    ReviewContext review();

    /** A write may have been carried out nevertheless. */
    default ReferenceStep failed(Refusal refusal) {
      return review().refused(refusal);
    }

    default ReferenceStep failed(String problem) {
      return failed(new Refusal.Unknown(problem));
    }
  }

  /** The constants of one review. */
  record ReviewContext(
      ReferenceClaim claim, Demand demand, Recording recording, RaceTimings timings) {

    /** Waiting helps only if the deletion can see the reference claim. */
    ReferenceStep refusedUnlessItEnds(DeletionUnderWay refusal) {
      return switch (recording) {
        case RECORDED -> new Await(this, refusal);
        case DRY_RUN -> new Answered(Optional.of(refusal));
      };
    }

    ReferenceStep refused(Refusal refusal) {
      return switch (recording) {
        case RECORDED -> new Withdraw(this, refusal);
        case DRY_RUN -> new Answered(Optional.of(refusal));
      };
    }
  }

  /** Add the reference claim to the register. */
  record ClaimReference(ReviewContext review) implements Access {
    public ReferenceStep claimed() {
      return new ReadDeletionClaims(review, Optional.empty());
    }
  }

  /**
   * Read the register's deletion claims.
   *
   * @param awaited the deletion that the review has waited for; empty before it waited
   */
  record ReadDeletionClaims(ReviewContext review, Optional<DeletionUnderWay> awaited)
      implements Access {
    public ReferenceStep read(RegisterPage page) {
      return new ReadTarget(review, page.deletionClaims(), awaited);
    }
  }

  /** Read the current target. */
  record ReadTarget(
      ReviewContext review, List<DeletionClaim> deletionClaims, Optional<DeletionUnderWay> awaited)
      implements Access {
    /**
     * @param targets all objects that the reference may mean
     */
    public ReferenceStep read(List<LiveTarget> targets, Instant now) {
      if (targets.isEmpty() && review.demand() == Demand.PRESENT) {
        return review.refused(new TargetMissing());
      }
      if (targets.isEmpty() && awaited.isPresent()) {
        // The target existed when this review began: both requests would have succeeded.
        return review.refused(awaited.get());
      }
      for (LiveTarget target : targets) {
        if (target.phase() == LiveTarget.Phase.TERMINATING) {
          return review.refused(new TargetTerminating());
        }
        Optional<DeletionClaim> open = openAgainst(target.uid(), now);
        if (open.isPresent()) {
          return review.refusedUnlessItEnds(
              new DeletionUnderWay(review.timings().openFor(open.get().at(), now)));
        }
      }
      return new Answered(Optional.empty());
    }

    /** The latest deletion of this very object that may still be carried out. */
    private Optional<DeletionClaim> openAgainst(String uid, Instant now) {
      return deletionClaims.stream()
          .filter(one -> one.uid().equals(uid) && review.timings().openAt(one.at(), now))
          .max(Comparator.comparing(DeletionClaim::at));
    }
  }

  /**
   * Wait, or give up. A later read is as safe as an earlier one: the reference claim precedes both.
   */
  record Await(ReviewContext review, DeletionUnderWay refusal) implements ReferenceStep {

    public ReferenceStep again() {
      return new ReadDeletionClaims(review, Optional.of(refusal));
    }

    public ReferenceStep enough() {
      return review.refused(refusal);
    }
  }

  /** Withdraw the reference claim; the answer stands whether that succeeds or not. */
  record Withdraw(ReviewContext review, Refusal refusal) implements ReferenceStep {
    public ReferenceStep done() {
      return new Answered(Optional.of(refusal));
    }
  }

  /**
   * The end.
   *
   * @param refusal empty if the request may go ahead
   */
  record Answered(Optional<Refusal> refusal) implements ReferenceStep {}
}
