package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Denied;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Note;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.model.dependency.Mode;
import dev.mooring.runtime.log.LogFields;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why a review was not evaluated.
 *
 * @param uid to be repeated in the response; empty if it could not be parsed
 * @param cause what happened
 * @param denied the decision for an entry that denies
 */
record ReviewFailure(String uid, String cause, Denied denied) {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewFailure.class);

  static ReviewFailure malformed(String uid, String problem) {
    return failed(uid, Outcome.MALFORMED, 400, problem);
  }

  /** The webhook has a defect. */
  static ReviewFailure failed(String uid) {
    return failed(
        uid,
        Outcome.FAILED,
        500,
        "the dependency webhook failed; its log tells why (review " + uid + ")");
  }

  /**
   * @param start of the body, here and below: enough to repeat the review's uid
   */
  static ReviewFailure tooLarge(byte[] start, long limitBytes) {
    return failed(
        ReviewDecoder.leadingUid(start),
        Outcome.MALFORMED,
        413,
        "the review is larger than " + limitBytes + " bytes");
  }

  /** The API server does not wait any longer. */
  static ReviewFailure tooLate(byte[] start, Duration timeout) {
    return late(
        start,
        ("the dependency webhook could not look at everything within the %d s that the API server"
                + " waits, because kcp or its own machine is slow")
            .formatted(timeout.toSeconds()),
        "raise the controller's webhook-timeout");
  }

  /** Other large reviews take the memory. */
  static ReviewFailure noMemory(byte[] start, int bytes) {
    return late(
        start,
        "the dependency webhook has no memory for this review of %d bytes while it evaluates others"
            .formatted(bytes),
        "give it more memory or replicas");
  }

  /** The limit of concurrent reviews is reached. */
  static ReviewFailure noPlace(byte[] start, int reviews) {
    return late(
        start,
        reviews
            + " reviews are already in progress in the dependency webhook, because kcp or its own"
            + " machine is slow",
        "give it more replicas");
  }

  private static ReviewFailure failed(String uid, Outcome outcome, int code, String cause) {
    return new ReviewFailure(
        uid, cause, new Denied(outcome, new ClientRefusal(code, "", cause, Duration.ZERO)));
  }

  private static ReviewFailure late(byte[] start, String cause, String remedy) {
    String message = cause + ": ask again, or " + remedy;
    return new ReviewFailure(
        ReviewDecoder.leadingUid(start),
        cause,
        new Denied(Outcome.TIMED_OUT, ClientRefusal.unavailable(message, message)));
  }

  /** The answer to a webhook entry of this mode. */
  Answer answerFor(Mode mode) {
    try (var _ = LogFields.NONE.review(uid).open()) {
      return Answer.of(uid, decision(mode));
    }
  }

  private AdmissionDecision decision(Mode mode) {
    return switch (mode) {
      case DENY -> {
        if (denied.outcome() == Outcome.TIMED_OUT) {
          LOG.warn("Review {} rejected: {}", uid, cause);
        }
        yield denied;
      }
      case WARN, AUDIT -> {
        LOG.warn("Review {} allowed without evaluation: {}", uid, cause);
        yield new Allowed(
            Outcome.UNCHECKED,
            List.of(new Note(DeletionPolicy.UNCHECKED + cause, List.of())),
            List.of(),
            List.of());
      }
    };
  }
}
