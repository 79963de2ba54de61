package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.DeletionCheck.Checked;
import dev.mooring.depwebhook.admission.DeletionCheck.Question;
import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.admission.decide.Verdict.Missing;
import dev.mooring.depwebhook.race.ReferenceReview;
import dev.mooring.depwebhook.race.decide.RaceRefusal;
import dev.mooring.model.identity.LogicalCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One review's bytes to the answer's: whatever comes in, a well-formed review goes out. */
public final class ReviewHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ReviewHandler.class);
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int TOO_LARGE = 413;
  private static final int INTERNAL_ERROR = 500;

  private final DeletionCheck check;
  private final ReferenceCheck references;
  private final DecisionListener listener;

  public ReviewHandler(DeletionCheck check, ReferenceCheck references, DecisionListener listener) {
    this.check = Objects.requireNonNull(check, "check");
    this.references = Objects.requireNonNull(references, "references");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  /**
   * The bytes to send and what to count.
   *
   * @param told has everybody hear of it who is to; run only if this is what the API server hears
   */
  @SuppressWarnings("ArrayRecordComponent") // written once, by the server
  public record Answer(byte[] body, Decision decision, Runnable told) {
    /** One that nobody hears of. */
    Answer(byte[] body, Decision decision) {
      this(body, decision, () -> {});
    }
  }

  /**
   * @param provider as the review's URL names it; empty if it does not
   * @param answerBy when nobody listens any more: what still cannot be told by then is refused
   */
  public Answer answer(byte[] body, String provider, Instant answerBy) {
    Review review = AdmissionReviewCodec.read(body);
    try {
      return answer(review, provider, answerBy);
    } catch (RuntimeException e) {
      LOG.error("Could not judge review {}", review.uid(), e);
      return new Answer(
          AdmissionReviewCodec.refused(
              review.uid(),
              INTERNAL_ERROR,
              "",
              "the dependency webhook failed; its log tells why (review " + review.uid() + ")"),
          Decision.FAILED);
    }
  }

  /**
   * For a review that is not read further.
   *
   * @param start of the body: enough to repeat the review's uid
   */
  static Answer tooLarge(byte[] start, long limitBytes) {
    return new Answer(
        AdmissionReviewCodec.refused(
            AdmissionReviewCodec.leadingUid(start),
            TOO_LARGE,
            "",
            "the review is larger than " + limitBytes + " bytes"),
        Decision.MALFORMED);
  }

  /**
   * For a review that takes longer than its API server waits.
   *
   * @param start of the body: enough to repeat the review's uid
   */
  static Answer tooLate(byte[] start, Duration patience) {
    return late(
        start,
        "the dependency webhook could not look at everything within the "
            + patience.toSeconds()
            + " s that the API server waits, because kcp or its own machine is slow: ask"
            + " again, or raise the controller's webhook-timeout");
  }

  /**
   * For a review that was not read, as too many large ones were being judged.
   *
   * @param start of the body: enough to repeat the review's uid
   */
  static Answer noRoom(byte[] start, int bytes) {
    return late(
        start,
        "the dependency webhook has no memory for this review of "
            + bytes
            + " bytes while it judges others: ask again, or give it more memory or replicas");
  }

  private static Answer late(byte[] start, String message) {
    return new Answer(
        AdmissionReviewCodec.refused(
            AdmissionReviewCodec.leadingUid(start),
            new RaceRefusal(
                503, "ServiceUnavailable", message, Duration.ofSeconds(1), Decision.LATE.label())),
        Decision.LATE);
  }

  private Answer answer(Review review, String provider, Instant answerBy) {
    return switch (review) {
      case Review.OtherOperation(var uid, _) ->
          new Answer(AdmissionReviewCodec.allowed(uid), Decision.NOT_A_DELETION);
      case Review.Malformed(var uid, var problem) ->
          new Answer(
              AdmissionReviewCodec.refused(uid, BAD_REQUEST, "", problem), Decision.MALFORMED);
      case Review.Deletion deletion -> answer(deletion, provider, answerBy);
      case Review.Writing writing -> answer(writing, provider, answerBy);
    };
  }

  private Answer answer(Review.Deletion review, String provider, Instant answerBy) {
    Checked checked = check.check(question(review, provider, answerBy));
    log(review, checked.verdict());
    boolean real = review.effect() == Review.Effect.REAL;
    if (real && checked.verdict() instanceof Verdict.Allow) {
      references.noteDeletion(review, cluster(provider));
    }
    return new Answer(
        encoded(review.uid(), checked.verdict()),
        Decision.of(checked.verdict()),
        real ? () -> listener.decided(review, checked) : () -> {});
  }

  private Answer answer(Review.Writing review, String provider, Instant answerBy) {
    var asked =
        new ReferenceReview(
            review.cluster(),
            review.type(),
            review.before(),
            review.after(),
            review.effect().recording(),
            answerBy,
            cluster(provider));
    return references
        .refusal(asked)
        .map(refusal ->
            new Answer(
                AdmissionReviewCodec.refused(review.uid(), refusal), Decision.REFERENCE_REFUSED))
        .orElseGet(() ->
            new Answer(AdmissionReviewCodec.allowed(review.uid()), Decision.REFERENCE_ALLOWED));
  }

  private static Question question(Review.Deletion review, String provider, Instant answerBy) {
    return new Question(
        review.target(),
        review.object(),
        review.caller(),
        cluster(provider),
        review.effect().recording(),
        answerBy);
  }

  private static byte[] encoded(String uid, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Allow(_, var warnings, _) ->
          AdmissionReviewCodec.allowed(uid, warnings.stream().map(Verdict.Note::message).toList());
      case Verdict.Deny(var message, _) ->
          AdmissionReviewCodec.refused(uid, FORBIDDEN, "Forbidden", message);
      case Verdict.Busy(var refusal) -> AdmissionReviewCodec.refused(uid, refusal);
      case Verdict.Unready(Missing what, var message) ->
          switch (what) {
            case RULES -> AdmissionReviewCodec.refused(uid, FORBIDDEN, "Forbidden", message);
            case REFERRERS -> AdmissionReviewCodec.refused(uid, INTERNAL_ERROR, "", message);
          };
    };
  }

  private static void log(Review.Deletion review, Verdict verdict) {
    switch (verdict) {
      case Verdict.Allow(var ground, _, _) ->
          LOG.debug(
              "Allowed deletion of {} {}: {}",
              review.target().type(),
              review.target().key(),
              ground);
      case Verdict.Deny(var message, _) ->
          LOG.info("Refused {}: {}", review.target().key(), message);
      case Verdict.Busy(var refusal) ->
          LOG.info("Refused {} for now: {}", review.target().key(), refusal.message());
      case Verdict.Unready(_, var message) ->
          LOG.warn("Refused {} for want of knowledge: {}", review.target().key(), message);
    }
  }

  static Optional<LogicalCluster> cluster(String provider) {
    try {
      return provider.isEmpty() ? Optional.empty() : Optional.of(new LogicalCluster(provider));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
