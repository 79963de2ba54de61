package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
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
 * @param decision if it is denied
 * @param code HTTP status, if it is denied
 * @param cause what happened
 * @param remedy continues the cause; empty if there is none
 */
record ReviewFailure(String uid, Decision decision, int code, String cause, String remedy) {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewFailure.class);
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;
  private static final int INTERNAL_ERROR = 500;
  private static final int UNAVAILABLE = 503;

  static ReviewFailure malformed(String uid, String problem) {
    return new ReviewFailure(uid, Decision.MALFORMED, BAD_REQUEST, problem, "");
  }

  /** The webhook has a defect. */
  static ReviewFailure failed(String uid) {
    return new ReviewFailure(
        uid,
        Decision.FAILED,
        INTERNAL_ERROR,
        "the dependency webhook failed; its log tells why (review " + uid + ")",
        "");
  }

  /**
   * @param start of the body, here and below: enough to repeat the review's uid
   */
  static ReviewFailure tooLarge(byte[] start, long limitBytes) {
    return new ReviewFailure(
        ReviewReader.leadingUid(start),
        Decision.MALFORMED,
        TOO_LARGE,
        "the review is larger than " + limitBytes + " bytes",
        "");
  }

  /** The API server does not wait any longer. */
  static ReviewFailure tooLate(byte[] start, Duration timeout) {
    return late(
        start,
        "the dependency webhook could not look at everything within the "
            + timeout.toSeconds()
            + " s that the API server waits, because kcp or its own machine is slow",
        "raise the controller's webhook-timeout");
  }

  /** Other large reviews take the memory. */
  static ReviewFailure noMemory(byte[] start, int bytes) {
    return late(
        start,
        "the dependency webhook has no memory for this review of "
            + bytes
            + " bytes while it evaluates others",
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

  private static ReviewFailure late(byte[] start, String cause, String remedy) {
    return new ReviewFailure(
        ReviewReader.leadingUid(start),
        Decision.TIMED_OUT,
        UNAVAILABLE,
        cause,
        ": ask again, or " + remedy);
  }

  Answer under(Mode mode) {
    try (var _ = LogFields.NONE.review(uid).open()) {
      return answer(mode);
    }
  }

  private Answer answer(Mode mode) {
    return switch (mode) {
      case DENY -> new Answer(refused(), decision);
      case WARN, AUDIT -> {
        LOG.warn("Review {} allowed without evaluation: {}", uid, cause);
        yield new Answer(
            AdmissionReviewCodec.allowed(uid, List.of(DeletionPolicy.UNCHECKED + cause)),
            Decision.UNCHECKED);
      }
    };
  }

  private byte[] refused() {
    if (code != UNAVAILABLE) {
      return AdmissionReviewCodec.refused(uid, code, "", cause + remedy);
    }
    LOG.warn("Review {} rejected: {}", uid, cause);
    return AdmissionReviewCodec.refusedForNow(uid, code, "ServiceUnavailable", cause + remedy);
  }
}
