package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.ReviewHandler.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has every review answered before its API server gives up. Otherwise a client gets a 500 that it
 * does not try again, and nobody is told what was slow. Whoever judges is told to come to an end
 * after {@value #JUDGE_PERCENT} % of that time; after {@value #ANSWER_PERCENT} % there is an answer
 * in any case. Thread-safe.
 */
public final class TimelyReviews {
  /** Of a call whose URL does not say it: what API servers wait by default. */
  static final Duration DEFAULT = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(TimelyReviews.class);
  private static final int JUDGE_PERCENT = 80;
  private static final int ANSWER_PERCENT = 90;

  /** A Go duration as API servers write it; a webhook's timeout is whole seconds, 30 at most. */
  private static final Pattern SECONDS = Pattern.compile("([1-9]|[12][0-9]|30)s");

  private final Judge judge;
  private final InstantSource clock;

  /** As {@link ReviewHandler#answer}. */
  @FunctionalInterface
  public interface Judge {
    Answer answer(byte[] body, String provider, Instant answerBy);
  }

  public TimelyReviews(Judge judge, InstantSource clock) {
    this.judge = Objects.requireNonNull(judge, "judge");
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /**
   * @param provider as the review's URL names it; empty if it does not
   * @param timeout as the URL says how long the API server waits; empty if it does not
   */
  public Answer answer(byte[] body, String provider, String timeout) {
    Duration patience = patience(timeout);
    Instant answerBy = clock.instant().plus(patience.multipliedBy(JUDGE_PERCENT).dividedBy(100));
    var answer = new CompletableFuture<Answer>();
    Thread.ofVirtual()
        .name("review")
        .start(() -> {
          try {
            answer.complete(judge.answer(body, provider, answerBy));
          } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
            throw e;
          }
        });
    try {
      return answer.get(patience.toMillis() * ANSWER_PERCENT / 100, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn("A review took longer than {}; it is answered as not decided", patience);
      return ReviewHandler.tooLate(body, patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ReviewHandler.tooLate(body, patience);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  static Duration patience(String timeout) {
    Matcher matcher = SECONDS.matcher(timeout);
    return matcher.matches() ? Duration.ofSeconds(Long.parseLong(matcher.group(1))) : DEFAULT;
  }
}
