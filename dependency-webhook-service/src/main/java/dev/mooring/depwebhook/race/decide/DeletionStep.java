package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.race.decide.Refusal.ReferenceUnderWay;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The deletion's side of the protocol: the next access in the review of a request that deletes a
 * target. The result of each access gives the next step.
 *
 * <ol>
 *   <li>Write the deletion claim: from now on a reference to the target is refused.
 *   <li>Read the reference claims: a reference that did not see the deletion claim was claimed
 *       before.
 *   <li>Read each claimed dependent: it refers, its request is pending, or its request is over.
 *   <li>Look up all other referrers: a dependent that is not claimed is old enough for an index.
 *   <li>If the deletion is refused, withdraw the deletion claim.
 * </ol>
 */
public sealed interface DeletionStep {
  /**
   * @param namespace of the target; empty for a cluster-scoped one
   */
  static DeletionStep first(
      DeletionClaim claim, String namespace, Recording recording, RaceTimings timings) {
    var review = new ReviewContext(claim, namespace, recording, timings);
    return switch (recording) {
      case RECORDED -> new ClaimDeletion(review);
      case DRY_RUN -> new ReadReferenceClaims(review);
    };
  }

  /** A step that may fail, or for which there may be no time. */
  sealed interface Access extends DeletionStep {
    ReviewContext review();

    /** A write may have been carried out nevertheless. */
    default DeletionStep failed(Refusal refusal) {
      return review().refused(new Answer.Refused(refusal));
    }

    default DeletionStep failed(String problem) {
      return failed(new Refusal.Unknown(problem));
    }
  }

  /** The constants of one review. */
  record ReviewContext(
      DeletionClaim claim, String namespace, Recording recording, RaceTimings timings) {

    DeletionStep refused(Answer answer) {
      return switch (recording) {
        case RECORDED -> new Withdraw(this, answer);
        case DRY_RUN -> new Answered(answer);
      };
    }

    /**
     * Once some claimed dependents were read.
     *
     * @param pending the first request that may still be carried out
     */
    DeletionStep afterReads(Optional<ReferenceUnderWay> pending, List<ReferenceClaim> unread) {
      if (!unread.isEmpty()) {
        return new ReadDependent(this, pending, unread);
      }
      return pending
          .map(refusal -> refused(new Answer.Refused(refusal)))
          .orElseGet(() -> new LookUp(this, pending, Optional.empty(), List.of()));
    }
  }

  /** The result of a review. */
  sealed interface Answer {
    /** Nothing refers, and no pending request will. */
    record Granted() implements Answer {}

    /** The lookup found a referrer. */
    record Referenced() implements Answer {}

    record Refused(Refusal refusal) implements Answer {}
  }

  /** The result of a lookup, the claimed referrer included. */
  enum Finding {
    FREE,
    REFERENCED
  }

  /** Add the deletion claim to the register. */
  record ClaimDeletion(ReviewContext review) implements Access {
    public DeletionStep claimed() {
      return new ReadReferenceClaims(review);
    }
  }

  /** Read the register's reference claims. */
  record ReadReferenceClaims(ReviewContext review) implements Access {
    public DeletionStep read(RegisterPage page, Instant now) {
      return review.afterReads(
          Optional.empty(), page.referencesTo(review.namespace(), now, review.timings()));
    }
  }

  /**
   * Read the current dependent of the first unread reference claim.
   *
   * @param pending the first request that may still be carried out
   * @param unread never empty
   */
  record ReadDependent(
      ReviewContext review, Optional<ReferenceUnderWay> pending, List<ReferenceClaim> unread)
      implements Access {
    public ReadDependent {
      unread = List.copyOf(unread);
    }

    public DependentId dependent() {
      return unread.getFirst().dependent();
    }

    public DeletionStep read(LiveDependent live, Instant now) {
      ReferenceClaim claim = unread.getFirst();
      List<ReferenceClaim> rest = unread.subList(1, unread.size());
      return switch (claim.status(live, now, review.timings())) {
        case REFERS -> new LookUp(review, pending, Optional.of(dependent()), rest);
        case PENDING -> review.afterReads(pending.or(() -> underWay(claim, now)), rest);
        case OVER -> review.afterReads(pending, rest);
      };
    }

    private Optional<ReferenceUnderWay> underWay(ReferenceClaim claim, Instant now) {
      return Optional.of(
          new ReferenceUnderWay(dependent(), review.timings().openFor(claim.at(), now)));
    }
  }

  /**
   * Look up all referrers.
   *
   * @param referrer a claimed one that an index may not show yet; usually enough to refuse, so the
   *     other reference claims were not read
   */
  record LookUp(
      ReviewContext review,
      Optional<ReferenceUnderWay> pending,
      Optional<DependentId> referrer,
      List<ReferenceClaim> unread)
      implements Access {
    public LookUp {
      unread = List.copyOf(unread);
    }

    public DeletionStep found(Finding finding) {
      return switch (finding) {
        case REFERENCED -> review.refused(new Answer.Referenced());
        case FREE ->
            referrer.isPresent()
                ? review.afterReads(pending, unread)
                : new Answered(new Answer.Granted());
      };
    }
  }

  /** Withdraw the deletion claim; the answer stands whether that succeeds or not. */
  record Withdraw(ReviewContext review, Answer answer) implements DeletionStep {

    public DeletionStep done() {
      return new Answered(answer);
    }
  }

  /** The end. */
  record Answered(Answer answer) implements DeletionStep {}
}
