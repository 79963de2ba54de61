package dev.mooring.depwebhook.reading;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of one review, by its own clock. After its API server's timeout a client would get a
 * 500 that it does not retry and that does not name the cause. So the evaluation has {@value
 * #EVALUATE_PERCENT} % of the timeout, and after {@value #ANSWER_PERCENT} % there is a response in
 * any case: each read has the time that is left until then. Accesses to the race register end by
 * themselves, so that a deletion claim or a reference claim can be withdrawn; no access is begun
 * once the deadline {@link #isOver}. Thread-safe.
 */
public final class Deadline {
  /** For a URL without a timeout: the default of API servers. */
  private static final Duration DEFAULT = Duration.ofSeconds(10);

  private static final int EVALUATE_PERCENT = 80;
  private static final int ANSWER_PERCENT = 90;

  /** A Go duration as API servers write it; a webhook's timeout is whole seconds, 30 at most. */
  private static final Pattern SECONDS = Pattern.compile("([1-9]|[12][0-9]|30)s");

  private final InstantSource clock;
  private final Duration timeout;
  private final Instant since;
  private volatile boolean expired;

  /**
   * @param clock that does not jump
   * @param timeout of the API server, from now on
   */
  public Deadline(InstantSource clock, Duration timeout) {
    this.clock = clock;
    this.timeout = timeout;
    this.since = clock.instant();
  }

  /**
   * @param timeout as the review's URL says how long the API server waits; empty if it does not
   */
  public static Deadline start(InstantSource clock, String timeout) {
    Matcher matcher = SECONDS.matcher(timeout);
    return new Deadline(
        clock, matcher.matches() ? Duration.ofSeconds(Long.parseLong(matcher.group(1))) : DEFAULT);
  }

  /** A deadline that never passes, for reads that answer no review. */
  public static Deadline none() {
    return new Deadline(() -> Instant.EPOCH, Duration.ofDays(365));
  }

  /** How long the API server waits. */
  public Duration timeout() {
    return timeout;
  }

  public Instant now() {
    return clock.instant();
  }

  /** After this no further request is begun. */
  public Instant evaluateBy() {
    return since.plus(timeout.multipliedBy(EVALUATE_PERCENT).dividedBy(100));
  }

  /** How long ago the API server stopped to wait; negative while it waits. */
  public Duration overdue() {
    return Duration.between(since.plus(timeout), now());
  }

  /** Whether the evaluation has no time left. */
  public boolean isOver() {
    return !now().isBefore(evaluateBy());
  }

  public Duration untilEvaluated() {
    return Duration.between(now(), evaluateBy());
  }

  public Duration untilAnswered() {
    return Duration.between(now(), since.plus(timeout.multipliedBy(ANSWER_PERCENT).dividedBy(100)));
  }

  /**
   * Waits for a read, for as long as there is time; then it is cancelled.
   *
   * @param what is read, for messages
   * @throws RuntimeException what the read threw; {@link KubeFailure} of kind {@link
   *     KubeFailure.Kind#UNAVAILABLE} if the deadline expires meanwhile, or if the caller is
   *     interrupted
   */
  <T> T await(Future<T> read, String what) {
    requireTime();
    try {
      T result = read.get(untilAnswered().toMillis(), TimeUnit.MILLISECONDS);
      // A decision that is not sent would leave a deletion claim in the register.
      requireTime();
      return result;
    } catch (TimeoutException e) {
      expire();
      read.cancel(true);
      throw expired(what + ": ", e);
    } catch (ExecutionException e) {
      if (isExpired()) {
        throw expired(what + ": ", e.getCause());
      }
      throw PendingRead.failure(e);
    } catch (InterruptedException e) {
      throw PendingRead.interrupted(what, e);
    }
  }

  /** To be called once the response is determined. Idempotent. */
  public void expire() {
    expired = true;
  }

  /** Whether the response is determined, or has to be. */
  public boolean isExpired() {
    return expired || !untilAnswered().isPositive();
  }

  /** Throws a {@link KubeFailure} of kind {@link KubeFailure.Kind#UNAVAILABLE} if it expired. */
  public void requireTime() {
    if (isExpired()) {
      throw expired("", null);
    }
  }

  private static KubeFailure expired(String during, @Nullable Throwable cause) {
    return KubeFailure.unavailable(during + "the deadline of the review expired", cause);
  }
}
