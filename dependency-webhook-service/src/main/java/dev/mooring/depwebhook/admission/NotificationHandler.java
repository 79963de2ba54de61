package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.DeletionCheck.Checked;
import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.admission.decide.Verdict.AllowReason;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.identity.LogicalCluster;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reports deletions that the API server let pass by the skip annotation, with the rules that they
 * bypassed. Stale rules count as well: a trace by old rules is better than none.
 */
public final class NotificationHandler implements NotificationReviews.Handler {
  private final DeletionCheck check;
  private final DecisionListener listener;

  public NotificationHandler(DeletionCheck check, DecisionListener listener) {
    this.check = Objects.requireNonNull(check, "check");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  @Override
  public boolean handle(Review.Deletion review, String provider) {
    Optional<LogicalCluster> exporter = ReviewHandler.cluster(provider);
    Optional<List<Protection>> passed = check.passedBy(review.target(), review.object(), exporter);
    if (passed.isEmpty()) {
      return false;
    }
    if (!passed.get().isEmpty()) {
      listener.decided(
          review,
          new Checked(new Verdict.Allow(AllowReason.SKIP_PROTECTION), passed.get(), passed.get()));
    }
    return true;
  }
}
