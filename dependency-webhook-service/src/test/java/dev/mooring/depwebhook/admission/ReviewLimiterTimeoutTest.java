package dev.mooring.depwebhook.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.WebhookEntry.Kind;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReviewLimiterTimeoutTest {
  private static final byte[] BODY =
      "{\"kind\": \"AdmissionReview\", \"request\": {\"uid\": \"r-1\"}}"
          .getBytes(StandardCharsets.UTF_8);
  private static final WebhookEntry ENTRY = new WebhookEntry("", Kind.DENYING);
  private static final ReviewHandler.Answer ANSWER = StubHandler.ANSWER;

  @Test
  void answersBeforeTheApiServerGivesUpAndAsksToComeBack() {
    var answered = new CountDownLatch(1);
    ReviewLimiter reviews = judgedAfter(answered);

    ReviewHandler.Answer answer = reviews.evaluateInTime(body(), ENTRY, within("1s"));

    answered.countDown();
    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(answer.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(review.text("response", "uid")).isEqualTo("r-1");
    assertThat(review.at("response", "allowed")).isEqualTo(false);
    assertThat(review.at("response", "status", "code")).isEqualTo(503L);
    assertThat(review.at("response", "status", "details", "retryAfterSeconds")).isEqualTo(1L);
    assertThat(review.text("response", "status", "message")).contains("within the 1 s");
  }

  @Test
  void warnsOfAnAdvisoryDeletionThatTakesTooLong() {
    var answered = new CountDownLatch(1);
    ReviewLimiter reviews = judgedAfter(answered);

    ReviewHandler.Answer answer =
        reviews.evaluateInTime(body(), new WebhookEntry("network1", Kind.WARNING), within("1s"));

    answered.countDown();
    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(answer.outcome()).isEqualTo(Outcome.UNCHECKED);
    assertThat(review.text("response", "uid")).isEqualTo("r-1");
    assertThat(review.at("response", "allowed")).isEqualTo(true);
    assertThat(review.list("response", "warnings"))
        .containsExactly(
            "not checked for what still refers to it: the dependency webhook could not look at"
                + " everything within the 1 s that the API server waits, because kcp or its own"
                + " machine is slow");
  }

  @Test
  void answersThoughEveryEvaluationFails() throws InterruptedException {
    var read = new Semaphore(0);
    var reviews =
        intake((_, _, _) -> {
          throw new StackOverflowError();
        });

    ReviewHandler.Answer answer = reviews.evaluateInTime(body(read), ENTRY, within("10s"));

    KubeObject review = KubeJson.readObject(answer.body());
    assertThat(answer.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(review.text("response", "uid")).isEqualTo("r-1");
    assertThat(review.at("response", "allowed")).isEqualTo(false);
    assertThat(review.at("response", "status", "code")).isEqualTo(500L);
    read.acquire();
  }

  @Test
  void endsReadsForAnAnswerThatComesTooLate() throws InterruptedException {
    var kcp = new CountDownLatch(1);
    var interrupted = new AtomicReference<Boolean>();
    var over = new Semaphore(0);
    var reviews =
        intake((_, _, deadline) -> {
          try {
            return PendingRead.<ReviewHandler.Answer>begin(
                    "what never comes",
                    () -> {
                      kcp.await();
                      throw new IllegalStateException("no answer");
                    })
                .result(deadline);
          } catch (KubeFailure _) {
            // Time to take back what was recorded.
            interrupted.set(Thread.currentThread().isInterrupted());
            return ANSWER;
          }
        });

    ReviewHandler.Answer answer = reviews.evaluateInTime(body(over), ENTRY, within("1s"));

    assertThat(answer.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(over.tryAcquire(10, TimeUnit.SECONDS)).as("the judge has come to an end").isTrue();
    assertThat(interrupted).hasValue(false);
  }

  @Test
  void reportsNoAnswerThatComesTooLate() throws InterruptedException {
    var answered = new CountDownLatch(1);
    var judged = new Semaphore(0);
    var handler =
        new StubHandler((_, _, _) -> {
          Latches.awaitUnlessInterrupted(answered);
          return ANSWER;
        });
    var reviews = intake(handler, () -> Instant.EPOCH);
    ReviewHandler.Answer late = reviews.evaluateInTime(body(judged), ENTRY, within("1s"));
    answered.countDown();
    judged.acquire();

    assertThat(late.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(handler.reported).hasValue(0);
    reviews.evaluateInTime(body(), ENTRY, within("30s"));
    assertThat(handler.reported).hasValue(1);
  }

  /** The evaluation and its answer end at the same time; the first of them does not matter. */
  @Test
  void sendsNothingOfAnEvaluationThatEndsWithTheDeadline() {
    var handler =
        new StubHandler((_, _, deadline) -> {
          deadline.expire();
          return ANSWER;
        });

    ReviewHandler.Answer answer =
        intake(handler, () -> Instant.EPOCH).evaluateInTime(body(), ENTRY, within("30s"));

    assertThat(answer.outcome()).isEqualTo(Outcome.TIMED_OUT);
    assertThat(handler.reported).hasValue(0);
  }

  @Test
  void passesTheDeadlineToTheEvaluation() {
    var deadlines = new ArrayList<Instant>();
    var reviews =
        intake((_, entry, deadline) -> {
          assertThat(entry.provider()).isEqualTo("network1");
          deadlines.add(deadline.evaluateBy());
          return ANSWER;
        });

    assertThat(
            reviews.evaluateInTime(
                body(), new WebhookEntry("network1", Kind.DENYING), within("30s")))
        .isEqualTo(ANSWER);

    assertThat(deadlines).containsExactly(Instant.EPOCH.plusSeconds(24));
  }

  @Test
  void knowsAnEvaluationThatDoesNotEndUntilItEnds() throws InterruptedException {
    var now = new AtomicReference<>(Instant.EPOCH);
    var answered = new CountDownLatch(1);
    var ended = new Semaphore(0);
    ReviewLimiter reviews = judgedAfter(answered, now::get);
    reviews.evaluateInTime(body(ended), ENTRY, Deadline.start(now::get, "1s"));
    assertThat(reviews.progress().stuck()).isZero();

    now.set(Instant.EPOCH.plus(ReviewProgress.STUCK_AFTER).plusSeconds(2));
    assertThat(reviews.progress().stuck()).isOne();

    answered.countDown();
    ended.acquire();
    assertThat(reviews.progress().stuck()).isZero();
  }

  @Test
  void isTooSlowWhileTheLastReviewsTimedOutAndForgetsIt() {
    var now = new AtomicReference<>(Instant.EPOCH);
    var progress = new ReviewProgress(now::get);

    for (int i = 1; i < ReviewProgress.TIMED_OUT_MAX; i++) {
      progress.timedOut();
    }
    assertThat(progress.isTooSlow()).isFalse();
    progress.timedOut();
    assertThat(progress.isTooSlow()).isTrue();
    now.set(now.get().plus(ReviewProgress.REMEMBERED));
    assertThat(progress.isTooSlow()).isFalse();

    progress.timedOut();
    assertThat(progress.isTooSlow()).isTrue();
    progress.answeredInTime();
    assertThat(progress.isTooSlow()).isFalse();
  }

  /** As long as kcp does not answer. */
  private static ReviewLimiter judgedAfter(CountDownLatch answered) {
    return judgedAfter(answered, () -> Instant.EPOCH);
  }

  private static ReviewLimiter judgedAfter(CountDownLatch answered, InstantSource clock) {
    return intake(
        (_, _, _) -> {
          Latches.awaitUnlessInterrupted(answered);
          return ANSWER;
        },
        clock);
  }

  private static ReviewLimiter intake(StubHandler.Evaluation evaluation) {
    return intake(evaluation, () -> Instant.EPOCH);
  }

  private static ReviewLimiter intake(StubHandler.Evaluation evaluation, InstantSource clock) {
    return intake(new StubHandler(evaluation), clock);
  }

  private static ReviewLimiter intake(ReviewHandler handler, InstantSource clock) {
    return new ReviewLimiter(handler, StubNotifications.all(), clock, 1, 1);
  }

  private static ReviewBody body() {
    return body(new Semaphore(0));
  }

  /**
   * @param over has a permit once the evaluation has ended
   */
  private static ReviewBody body(Semaphore over) {
    return new ReviewBody(BODY, over, 1);
  }

  private static Deadline within(String timeout) {
    return Deadline.start(() -> Instant.EPOCH, timeout);
  }
}
