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
 *   <li>Announce the reference: from now on a deletion of the target sees it.
 *   <li>Read the intents: a deletion that did not see the announcement wrote its intent before.
 *   <li>Read the target: its uid, and whether it exists and is terminating.
 *   <li>If only a pending deletion conflicts, read again: that deletion either saw the announcement
 *       and withdraws its intent, or did not and removes the target.
 *   <li>If the reference is refused, withdraw the announcement.
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

  static ReferenceStep first(
      Announcement announcement, Demand demand, Recording recording, RaceTimings timings) {
    var review = new ReviewContext(announcement, demand, recording, timings);
    return switch (recording) {
      case RECORDED -> new Announce(review);
      case DRY_RUN -> new ReadIntents(review, Optional.empty());
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
      Announcement announcement, Demand demand, Recording recording, RaceTimings timings) {

    /** Waiting helps only if the deletion can see the announcement. */
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

  /** Add the announcement to the register. */
  record Announce(ReviewContext review) implements Access {
    public ReferenceStep announced() {
      return new ReadIntents(review, Optional.empty());
    }
  }

  /**
   * Read the register's intents.
   *
   * @param awaited the deletion that the review has waited for; empty before it waited
   */
  record ReadIntents(ReviewContext review, Optional<DeletionUnderWay> awaited) implements Access {
    public ReferenceStep read(RegisterPage page) {
      return new ReadTarget(review, page.intents(), awaited);
    }
  }

  /** Read the current target. */
  record ReadTarget(ReviewContext review, List<Intent> intents, Optional<DeletionUnderWay> awaited)
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
        Optional<Intent> open = openAgainst(target.uid(), now);
        if (open.isPresent()) {
          return review.refusedUnlessItEnds(
              new DeletionUnderWay(review.timings().openFor(open.get().at(), now)));
        }
      }
      return new Answered(Optional.empty());
    }

    /** The latest deletion of this very object that may still be carried out. */
    private Optional<Intent> openAgainst(String uid, Instant now) {
      return intents.stream()
          .filter(one -> one.uid().equals(uid) && review.timings().openAt(one.at(), now))
          .max(Comparator.comparing(Intent::at));
    }
  }

  /**
   * Wait, or give up. A later read is as safe as an earlier one: the announcement precedes both.
   */
  record Await(ReviewContext review, DeletionUnderWay refusal) implements ReferenceStep {

    public ReferenceStep again() {
      return new ReadIntents(review, Optional.of(refusal));
    }

    public ReferenceStep enough() {
      return review.refused(refusal);
    }
  }

  /** Withdraw the announcement; the answer stands whether that succeeds or not. */
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
