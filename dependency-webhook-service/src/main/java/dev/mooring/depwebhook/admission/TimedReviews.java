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
 * Has every review answered before its API server gives up. Otherwise a client gets a 500 that it
 * does not try again, and nobody is told what was slow. Whoever judges is told to come to an end
 * after {@value #JUDGE_PERCENT} % of that time; after {@value #ANSWER_PERCENT} % there is an answer
 * in any case, and what the judge still reads for it ends. Thread-safe.
 */
public final class TimedReviews {
  /** Of a call whose URL does not say it: what API servers wait by default. */
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
   * How long one review is waited for.
   *
   * @param since when it began to come in
   * @param patience of its API server
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

  /** Of a review's body, for as long as an answer may still be in time. */
  BodyReader reader(InputStream body, Wait wait) {
    return new BodyReader(body, clock, wait.judgeBy());
  }

  /**
   * @param read called once nobody looks at the body any more; that may be after the answer
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
            LOG.error("Could not judge a review", e);
            answer.complete(
                ReviewFailure.failed(ReviewReader.leadingUid(body)).under(entry.mode()));
          } finally {
            read.run();
          }
        });
    Answer heard =
        awaited(
            answer, () -> ReviewFailure.tooLate(body, wait.patience()).under(entry.mode()), wait);
    // What is not judged by now is judged for nobody.
    deadline.leaves();
    heard.report().run();
    return heard;
  }

  /** The one answer; what is judged after it does not count. */
  private Answer awaited(CompletableFuture<Answer> answer, Supplier<Answer> tooLate, Wait wait) {
    try {
      answer.get(until(wait.answerBy()).toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (answer.complete(tooLate.get())) {
        LOG.warn("A review took longer than {}; it is answered as not decided", wait.patience());
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
