package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.DeletionDecision;
import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.admission.decide.Verdict.Missing;
import dev.mooring.depwebhook.race.decide.Recording;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.model.dependency.Mode;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.trace.WorkSpan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one review: any body gets a well-formed response. */
public final class ReviewHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewHandler.class);
  private static final int FORBIDDEN = 403;
  private static final int INTERNAL_ERROR = 500;

  private final DeletionReviewer deletions;
  private final ReferenceCheck references;
  private final DecisionListener listener;

  public ReviewHandler(
      DeletionReviewer deletions, ReferenceCheck references, DecisionListener listener) {
    this.deletions = deletions;
    this.references = references;
    this.listener = listener;
  }

  /**
   * The response to send, and the decision to count.
   *
   * @param report reports the decision to its listeners; run only if this answer is sent
   */
  @SuppressWarnings("ArrayRecordComponent") // written once, by the server
  public record Answer(byte[] body, Decision decision, Runnable report) {
    /** An answer that is not reported. */
    Answer(byte[] body, Decision decision) {
      this(body, decision, () -> {});
    }
  }

  /**
   * @param deadline a review that is not evaluated when it expires is denied
   */
  public Answer answer(byte[] body, WebhookEntry entry, Deadline deadline) {
    Review review = ReviewReader.read(body, entry.cluster());
    LogFields about = review.about();
    WorkSpan.current().about(about);
    try (var _ = about.open()) {
      return answered(review, entry, deadline);
    }
  }

  private Answer answered(Review review, WebhookEntry entry, Deadline deadline) {
    try {
      return answer(review, entry, deadline);
    } catch (RuntimeException e) {
      if (deadline.isExpired()) {
        LOG.debug("Review {} abandoned after its deadline", review.uid(), e);
        return ReviewFailure.failed(review.uid()).under(Mode.DENY);
      }
      LOG.error("Review {} failed", review.uid(), e);
      return ReviewFailure.failed(review.uid()).under(entry.mode());
    }
  }

  private Answer answer(Review review, WebhookEntry entry, Deadline deadline) {
    return switch (review) {
      case Review.OtherOperation(var uid) ->
          new Answer(AdmissionReviewCodec.allowed(uid), Decision.NOT_A_DELETION);
      case Review.Malformed(var uid, var problem) ->
          ReviewFailure.malformed(uid, problem).under(entry.mode());
      case Review.Deletion deletion -> answer(deletion, entry, deadline);
      case Review.Writing writing -> answer(writing, deadline);
    };
  }

  private Answer answer(Review.Deletion review, WebhookEntry entry, Deadline deadline) {
    DeletionDecision decision = deletions.review(review, entry.mode(), deadline);
    log(review, decision.verdict());
    boolean real = review.recording() == Recording.RECORDED;
    return new Answer(
        encoded(review.uid(), decision.verdict()),
        Decision.of(decision.verdict()),
        real ? () -> listener.decided(review, decision) : () -> {});
  }

  private Answer answer(Review.Writing review, Deadline deadline) {
    return references
        .refusal(review.reference(), deadline)
        .map(refusal -> {
          if (refusal.isDetailed()) {
            LOG.warn("Review {}: {}", review.uid(), refusal.message());
          }
          return new Answer(
              AdmissionReviewCodec.refused(review.uid(), refusal), Decision.REFERENCE_REFUSED);
        })
        .orElseGet(() ->
            new Answer(AdmissionReviewCodec.allowed(review.uid()), Decision.REFERENCE_ALLOWED));
  }

  private static byte[] encoded(String uid, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Allow(_, var warnings, _) ->
          AdmissionReviewCodec.allowed(
              uid, warnings.stream().map(note -> callerMessage(uid, note)).distinct().toList());
      case Verdict.Deny(var message, _) ->
          AdmissionReviewCodec.refused(uid, FORBIDDEN, "Forbidden", message);
      case Verdict.Contended(var refusal) -> AdmissionReviewCodec.refused(uid, refusal);
      case Verdict.Undetermined(Missing what, _, var message) ->
          switch (what) {
            case RULES -> AdmissionReviewCodec.refused(uid, FORBIDDEN, "Forbidden", message);
            case REFERRERS ->
                AdmissionReviewCodec.refused(
                    uid, INTERNAL_ERROR, "", AdmissionReviewCodec.inLog(uid, message));
          };
    };
  }

  private static String callerMessage(String uid, Verdict.Note note) {
    return note.isDetailed()
        ? AdmissionReviewCodec.inLog(uid, note.callerMessage())
        : note.callerMessage();
  }

  private static void log(Review.Deletion review, Verdict verdict) {
    switch (verdict) {
      case Verdict.Allow(var reason, _, _) when reason == Verdict.AllowReason.UNCHECKED ->
          LOG.warn(
              "Allowed {} {} without a check: rules not loaded",
              review.target().type(),
              review.target().key());
      case Verdict.Allow(var reason, var warnings, _) -> {
        LOG.debug(
            "Allowed deletion of {} {}: {}", review.target().type(), review.target().key(), reason);
        warnings.stream()
            .filter(Verdict.Note::isDetailed)
            .forEach(note -> {
              try (var _ = LogFields.NONE.rules(note.rules()).open()) {
                LOG.warn(
                    "Review {}: {} {} allowed without a check: {}",
                    review.uid(),
                    review.target().type(),
                    review.target().key(),
                    note.message());
              }
            });
      }
      case Verdict.Deny(var message, var rules) -> {
        LogFields by = LogFields.NONE.rules(rules);
        WorkSpan.current().about(by);
        try (var _ = by.open()) {
          LOG.info("Denied {}: {}", review.target().key(), message);
        }
      }
      case Verdict.Contended(var refusal) ->
          LOG.info(
              "Review {}: denied {}, retry: {}",
              review.uid(),
              review.target().key(),
              refusal.message());
      case Verdict.Undetermined(_, var message, _) ->
          LOG.warn(
              "Review {}: denied {}, dependents could not be checked: {}",
              review.uid(),
              review.target().key(),
              message);
    }
  }
}
