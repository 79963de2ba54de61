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
 * What is noted of a deletion that goes ahead: which rules it passed by, for its trace, and that
 * the object was created, for the race register. Both by rules as they were last known: a trace by
 * yesterday's rules is better than none, and that something was created stays true.
 */
public final class NotificationHandler implements NotificationReviews.Handler {
  private final DeletionCheck check;
  private final ReferenceCheck references;
  private final DecisionListener listener;

  public NotificationHandler(
      DeletionCheck check, ReferenceCheck references, DecisionListener listener) {
    this.check = Objects.requireNonNull(check, "check");
    this.references = Objects.requireNonNull(references, "references");
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
    references.noteOfDeletion(review, exporter).ifPresent(Runnable::run);
    return true;
  }
}
