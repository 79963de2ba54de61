package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.DeletionDecision;
import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.admission.decide.Verdict.AllowReason;
import dev.mooring.depwebhook.rules.decide.Protection;
import java.util.List;
import java.util.Optional;

/**
 * Reports deletions that the API server let pass by the skip annotation, with the rules that they
 * bypassed. Stale rules count as well: a trace by old rules is better than none.
 */
public final class NotificationHandler implements NotificationReviews.Handler {
  private final DeletionReviewer deletions;
  private final DecisionListener listener;

  public NotificationHandler(DeletionReviewer deletions, DecisionListener listener) {
    this.deletions = deletions;
    this.listener = listener;
  }

  @Override
  public boolean handle(Review.Deletion review) {
    Optional<List<Protection>> bypassed = deletions.bypassedBy(review);
    if (bypassed.isEmpty()) {
      return false;
    }
    if (!bypassed.get().isEmpty()) {
      listener.decided(
          review,
          new DeletionDecision(
              new Verdict.Allow(AllowReason.SKIP_PROTECTION), bypassed.get(), bypassed.get()));
    }
    return true;
  }
}
