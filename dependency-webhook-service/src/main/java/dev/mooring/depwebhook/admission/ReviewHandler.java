package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Denied;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Note;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.model.dependency.Mode;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.trace.WorkSpan;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one review: any body gets a well-formed response. */
public class ReviewHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewHandler.class);

  private final FactGatherer facts;
  private final ReferenceGate references;
  private final List<DecisionListener> listeners;

  public ReviewHandler(
      FactGatherer facts, ReferenceGate references, List<DecisionListener> listeners) {
    this.facts = facts;
    this.references = references;
    this.listeners = listeners;
  }

  /**
   * The response to send.
   *
   * @param deletion that listeners receive; empty for a dry run, and for other reviews
   */
  @SuppressWarnings("ArrayRecordComponent") // written once, by the server
  public record Answer(
      byte[] body, AdmissionDecision decision, Optional<Review.Deletion> deletion) {
    /** An answer that listeners do not receive. */
    static Answer of(String uid, AdmissionDecision decision) {
      return new Answer(ReviewEncoder.encodeResponse(uid, decision), decision, Optional.empty());
    }

    public Outcome outcome() {
      return decision.outcome();
    }
  }

  /**
   * @param deadline a review that is not evaluated when it expires is denied
   */
  public Answer handleReview(byte[] body, WebhookEntry entry, Deadline deadline) {
    Review review = ReviewDecoder.decodeReview(body, entry.cluster());
    LogFields about = review.about();
    WorkSpan.current().about(about);
    try (var _ = about.open()) {
      return answerAnyway(review, entry, deadline);
    }
  }

  private Answer answerAnyway(Review review, WebhookEntry entry, Deadline deadline) {
    try {
      return answer(review, entry, deadline);
    } catch (RuntimeException e) {
      if (deadline.isExpired()) {
        LOG.debug("Review {} abandoned after its deadline", review.uid(), e);
        return ReviewFailure.failed(review.uid()).answerFor(Mode.DENY);
      }
      LOG.error("Review {} failed", review.uid(), e);
      return ReviewFailure.failed(review.uid()).answerFor(entry.mode());
    }
  }

  /** Listeners receive the decision; to be called only if this answer is sent. */
  void report(Answer answer) {
    answer
        .deletion()
        .ifPresent(deletion ->
            listeners.forEach(listener -> listener.decided(deletion, answer.decision())));
  }

  private Answer answer(Review review, WebhookEntry entry, Deadline deadline) {
    return switch (review) {
      case Review.OtherOperation(var uid) -> Answer.of(uid, new Allowed(Outcome.NOT_A_DELETION));
      case Review.Malformed(var uid, var problem) ->
          ReviewFailure.malformed(uid, problem).answerFor(entry.mode());
      case Review.Deletion deletion -> {
        AdmissionDecision decision = facts.gatherFacts(deletion, entry.mode(), deadline).decision();
        log(deletion, decision);
        yield new Answer(
            ReviewEncoder.encodeResponse(deletion.uid(), decision),
            decision,
            Optional.of(deletion).filter(real -> real.recording() == Recording.RECORDED));
      }
      case Review.CreateOrUpdate writing -> Answer.of(writing.uid(), decision(writing, deadline));
    };
  }

  private AdmissionDecision decision(Review.CreateOrUpdate review, Deadline deadline) {
    Optional<ClientRefusal> refusal = references.checkReferences(review, deadline);
    if (refusal.isEmpty()) {
      return new Allowed(Outcome.REFERENCE_ALLOWED);
    }
    if (refusal.get().isDetailed()) {
      LOG.warn("Review {}: {}", review.uid(), refusal.get().message());
    }
    return new Denied(Outcome.REFERENCE_REFUSED, refusal.get());
  }

  private static void log(Review.Deletion review, AdmissionDecision decision) {
    switch (decision) {
      case Allowed(var outcome, var warnings, _, _) -> {
        if (outcome == Outcome.UNCHECKED) {
          LOG.warn(
              "Allowed {} {} without a check: rules not loaded",
              review.target().type(),
              review.target().key());
          return;
        }
        LOG.debug(
            "Allowed deletion of {} {}: {}",
            review.target().type(),
            review.target().key(),
            outcome);
        warnings.stream().filter(Note::isDetailed).forEach(note -> log(review, note));
      }
      case Denied(var outcome, var refusal, var rules) -> {
        String message = refusal.message();
        switch (outcome) {
          case DENIED -> {
            LogFields by = LogFields.NONE.rules(rules);
            WorkSpan.current().about(by);
            try (var _ = by.open()) {
              LOG.info("Denied {}: {}", review.target().key(), message);
            }
          }
          case IN_FLIGHT ->
              LOG.info(
                  "Review {}: denied {}, retry: {}", review.uid(), review.target().key(), message);
          default ->
              LOG.warn(
                  "Review {}: denied {}, dependents could not be checked: {}",
                  review.uid(),
                  review.target().key(),
                  message);
        }
      }
    }
  }

  private static void log(Review.Deletion review, Note note) {
    try (var _ = LogFields.NONE.rules(note.rules()).open()) {
      LOG.warn(
          "Review {}: {} {} allowed without a check: {}",
          review.uid(),
          review.target().type(),
          review.target().key(),
          note.message());
    }
  }
}
