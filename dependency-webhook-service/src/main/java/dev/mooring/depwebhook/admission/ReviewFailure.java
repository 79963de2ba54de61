package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
import dev.mooring.model.dependency.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A review that was not judged.
 *
 * @param uid to be repeated in the answer; empty if it could not be read
 * @param decision if it is refused
 * @param code HTTP status, if it is refused
 * @param cause what is the matter
 * @param remedy what helps, to be read after the cause; empty if that says it all
 */
record ReviewFailure(String uid, Decision decision, int code, String cause, String remedy) {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewFailure.class);
  private static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;
  private static final int INTERNAL_ERROR = 500;
  private static final int UNAVAILABLE = 503;

  ReviewFailure {
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(decision, "decision");
    Objects.requireNonNull(cause, "cause");
    Objects.requireNonNull(remedy, "remedy");
  }

  /** One that cannot be read. */
  static ReviewFailure malformed(String uid, String problem) {
    return new ReviewFailure(uid, Decision.MALFORMED, BAD_REQUEST, problem, "");
  }

  /** One that met a mistake of this program. */
  static ReviewFailure failed(String uid) {
    return new ReviewFailure(
        uid,
        Decision.FAILED,
        INTERNAL_ERROR,
        "the dependency webhook failed; its log tells why (review " + uid + ")",
        "");
  }

  /**
   * One that is not read further.
   *
   * @param start of the body: enough to repeat the review's uid
   */
  static ReviewFailure tooLarge(byte[] start, long limitBytes) {
    return new ReviewFailure(
        ReviewReader.leadingUid(start),
        Decision.MALFORMED,
        TOO_LARGE,
        "the review is larger than " + limitBytes + " bytes",
        "");
  }

  /**
   * One that takes longer than its API server waits.
   *
   * @param start of the body: enough to repeat the review's uid
   */
  static ReviewFailure tooLate(byte[] start, Duration patience) {
    return late(
        start,
        "the dependency webhook could not look at everything within the "
            + patience.toSeconds()
            + " s that the API server waits, because kcp or its own machine is slow",
        ": ask again, or raise the controller's webhook-timeout");
  }

  /**
   * One that was not read, as too many large ones were being judged.
   *
   * @param start of the body: enough to repeat the review's uid
   */
  static ReviewFailure noRoom(byte[] start, int bytes) {
    return late(
        start,
        "the dependency webhook has no memory for this review of "
            + bytes
            + " bytes while it judges others",
        ": ask again, or give it more memory or replicas");
  }

  /**
   * One that was not read, as too many were being judged.
   *
   * @param start of the body: enough to repeat the review's uid
   */
  static ReviewFailure noPlace(byte[] start, int judged) {
    return late(
        start,
        "the dependency webhook judges "
            + judged
            + " other reviews, as many as it can at a time, because kcp or its own machine is slow",
        ": ask again, or give it more replicas");
  }

  private static ReviewFailure late(byte[] start, String cause, String remedy) {
    return new ReviewFailure(
        ReviewReader.leadingUid(start), Decision.TIMED_OUT, UNAVAILABLE, cause, remedy);
  }

  Answer under(Mode mode) {
    return switch (mode) {
      case DENY -> new Answer(refused(), decision);
      case WARN, AUDIT -> {
        LOG.warn("Review {} is answered with leave though it was not judged: {}", uid, cause);
        yield new Answer(
            AdmissionReviewCodec.allowed(uid, List.of(DeletionPolicy.UNCHECKED + cause)),
            Decision.UNCHECKED);
      }
    };
  }

  private byte[] refused() {
    String message = cause + remedy;
    return code == UNAVAILABLE
        ? AdmissionReviewCodec.refusedForNow(uid, code, "ServiceUnavailable", message)
        : AdmissionReviewCodec.refused(uid, code, "", message);
  }
}
