package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.race.decide.Refusal.DeletionUnderWay;
import dev.mooring.depwebhook.race.decide.Refusal.TargetMissing;
import dev.mooring.depwebhook.race.decide.Refusal.TargetTerminating;
import dev.mooring.depwebhook.race.decide.Refusal.Unknown;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The side of a reference: what the review of a request does next that makes an object refer to a
 * target. Each step is one access; its result leads to the next.
 *
 * <ol>
 *   <li>announce the reference: from here on a deletion of the target sees it;
 *   <li>read the intents: a deletion that did not see the announcement wrote its intent before;
 *   <li>read the target, for its uid, and whether it is there and stays there;
 *   <li>if only a deletion is in the way that is under way as well, look again: it has seen the
 *       announcement, and takes its intent back, or it has not, and the target goes;
 *   <li>if the answer is no, take back the announcement: a refused request is never carried out.
 * </ol>
 */
public sealed interface ReferenceStep {
  /** What the target has to be. */
  enum Demand {
    /** References to what is not there yet are in order. */
    ANY,
    /** {@code requireTarget}. */
    PRESENT
  }

  static ReferenceStep first(
      Announcement announcement, Demand demand, Recording recording, RaceTimings terms) {
    var review = new Case(announcement, demand, recording, terms);
    return switch (recording) {
      case RECORDED -> new Announce(review);
      case REHEARSED -> new ReadIntents(review, Optional.empty());
    };
  }

  /** What follows if there is no time for another access. */
  static ReferenceStep abandoned(ReferenceStep step, String problem) {
    return switch (step) {
      case Announce announce -> announce.failed(new Unknown(problem));
      case ReadIntents read -> read.failed(problem);
      case ReadTarget read -> read.failed(problem);
      case Await await -> await.enough();
      case Withdraw withdraw -> withdraw;
      case Answered answered -> answered;
    };
  }

  /** What stays the same throughout. */
  record Case(Announcement announcement, Demand demand, Recording recording, RaceTimings terms) {
    public Case {
      Objects.requireNonNull(announcement, "announcement");
      Objects.requireNonNull(demand, "demand");
      Objects.requireNonNull(recording, "recording");
      Objects.requireNonNull(terms, "terms");
    }

    /** Looking again helps only whom the other side sees. */
    ReferenceStep refusedUnlessItEnds(DeletionUnderWay refusal) {
      return switch (recording) {
        case RECORDED -> new Await(this, refusal);
        case REHEARSED -> new Answered(Optional.of(refusal));
      };
    }

    ReferenceStep refused(Refusal refusal) {
      return switch (recording) {
        case RECORDED -> new Withdraw(this, refusal);
        case REHEARSED -> new Answered(Optional.of(refusal));
      };
    }
  }

  /** Add the announcement to the register. */
  record Announce(Case review) implements ReferenceStep {
    public ReferenceStep announced() {
      return new ReadIntents(review, Optional.empty());
    }

    /** The announcement may or may not have been recorded. */
    public ReferenceStep failed(Refusal refusal) {
      return review.refused(refusal);
    }
  }

  /**
   * Read the register's intents.
   *
   * @param awaited the deletion that was waited for, if one was
   */
  record ReadIntents(Case review, Optional<DeletionUnderWay> awaited) implements ReferenceStep {
    public ReferenceStep read(Intents intents) {
      return new ReadTarget(review, intents, awaited);
    }

    public ReferenceStep failed(String problem) {
      return review.refused(new Unknown(problem));
    }
  }

  /** Read the target as it is now. */
  record ReadTarget(Case review, Intents intents, Optional<DeletionUnderWay> awaited)
      implements ReferenceStep {
    /**
     * @param targets all that the reference may mean; empty if there is none
     */
    public ReferenceStep read(List<LiveTarget> targets, Instant now) {
      if (targets.isEmpty() && review.demand() == Demand.PRESENT) {
        return review.refused(new TargetMissing());
      }
      if (targets.isEmpty() && awaited.isPresent()) {
        // It was there when this review began, so both would have succeeded.
        return review.refused(awaited.get());
      }
      for (LiveTarget target : targets) {
        if (target.phase() == LiveTarget.Phase.TERMINATING) {
          return review.refused(new TargetTerminating());
        }
        Optional<Intent> open = intents.openAgainst(target.uid(), now, review.terms());
        if (open.isPresent()) {
          return review.refusedUnlessItEnds(
              new DeletionUnderWay(review.terms().openFor(open.get().at(), now)));
        }
      }
      return new Answered(Optional.empty());
    }

    public ReferenceStep failed(String problem) {
      return review.refused(new Unknown(problem));
    }
  }

  /**
   * Wait a little, or no longer. Later reads are as good as earlier ones: the announcement was made
   * before either.
   */
  record Await(Case review, DeletionUnderWay refusal) implements ReferenceStep {
    public Await {
      Objects.requireNonNull(refusal, "refusal");
    }

    public ReferenceStep again() {
      return new ReadIntents(review, Optional.of(refusal));
    }

    public ReferenceStep enough() {
      return review.refused(refusal);
    }
  }

  /** Take back the announcement; whether that works or not, the answer stands. */
  record Withdraw(Case review, Refusal refusal) implements ReferenceStep {
    public ReferenceStep done() {
      return new Answered(Optional.of(refusal));
    }
  }

  /**
   * The end.
   *
   * @param refusal empty if the request may go ahead
   */
  record Answered(Optional<Refusal> refusal) implements ReferenceStep {
    public Answered {
      Objects.requireNonNull(refusal, "refusal");
    }
  }
}
