package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers every review before its API server's timeout. After the timeout a client would get a 500
 * that it does not retry and that does not name the cause. The evaluation has {@value
 * #JUDGE_PERCENT} % of the timeout; after {@value #ANSWER_PERCENT} % there is a response in any
 * case, and the reads for it are interrupted. Thread-safe.
 */
public final class TimedReviews {
  /** For a URL without a timeout: the default of API servers. */
  static final Duration DEFAULT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(TimedReviews.class);
  private static final int JUDGE_PERCENT = 80;
  private static final int ANSWER_PERCENT = 90;

  /** A Go duration as API servers write it; a webhook's timeout is whole seconds, 30 at most. */
  private static final Pattern SECONDS = Pattern.compile("([1-9]|[12][0-9]|30)s");

  private final Judge judge;
  private final InstantSource clock;

  /** As {@link ReviewHandler#answer}. */
  @FunctionalInterface
  public interface Judge {
    Answer answer(byte[] body, WebhookEntry entry, ReviewDeadline deadline);
  }

  public TimedReviews(Judge judge, InstantSource clock) {
    this.judge = Objects.requireNonNull(judge, "judge");
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /**
   * The time limits of one review.
   *
   * @param since when its body began to arrive
   * @param patience the timeout of its API server
   */
  public record Wait(Instant since, Duration patience) {
    Instant judgeBy() {
      return at(JUDGE_PERCENT);
    }

    Instant answerBy() {
      return at(ANSWER_PERCENT);
    }

    private Instant at(int percent) {
      return since.plus(patience.multipliedBy(percent).dividedBy(100));
    }
  }

  /**
   * @param timeout as the URL says how long the API server waits; empty if it does not
   */
  public Wait begin(String timeout) {
    return new Wait(clock.instant(), patience(timeout));
  }

  /** Of a review's body, for as long as a response may still be in time. */
  BodyReader reader(InputStream body, Wait wait) {
    return new BodyReader(body, clock, wait.judgeBy());
  }

  /**
   * @param read called once the body is no longer used; that may be after the response
   */
  public Answer answer(byte[] body, WebhookEntry entry, Wait wait, Runnable read) {
    var answer = new CompletableFuture<Answer>();
    var deadline = new ReviewDeadline(wait.judgeBy());
    Thread.ofVirtual()
        .name("review")
        .start(() -> {
          try {
            answer.complete(judge.answer(body, entry, deadline));
          } catch (RuntimeException | Error e) {
            LOG.error("A review failed", e);
            answer.complete(
                ReviewFailure.failed(ReviewReader.leadingUid(body)).under(entry.mode()));
          } finally {
            read.run();
          }
        });
    Answer sent =
        awaited(
            answer, () -> ReviewFailure.tooLate(body, wait.patience()).under(entry.mode()), wait);
    // The evaluation of a review that was answered is abandoned.
    deadline.expire();
    sent.report().run();
    return sent;
  }

  /** The response; an evaluation that ends later is ignored. */
  private Answer awaited(CompletableFuture<Answer> answer, Supplier<Answer> tooLate, Wait wait) {
    try {
      answer.get(until(wait.answerBy()).toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (answer.complete(tooLate.get())) {
        LOG.warn("Review timed out: no decision within {}", wait.patience());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.complete(tooLate.get());
    } catch (ExecutionException e) {
      throw new IllegalStateException("completed with answers only", e);
    }
    return answer.join();
  }

  Duration until(Instant then) {
    return Duration.between(clock.instant(), then);
  }

  static Duration patience(String timeout) {
    Matcher matcher = SECONDS.matcher(timeout);
    return matcher.matches() ? Duration.ofSeconds(Long.parseLong(matcher.group(1))) : DEFAULT;
  }
}
