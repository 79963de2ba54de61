package dev.mooring.depwebhook.reading;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of one review, by its own clock. After its API server's timeout a client would get a
 * 500 that it does not retry and that does not name the cause. So the evaluation has {@value
 * #EVALUATE_PERCENT} % of the timeout, and after {@value #ANSWER_PERCENT} % there is a response in
 * any case. Reads that only the response needs run {@link #during} the deadline: once it expires
 * their thread is interrupted, and each read fails with a {@link KubeFailure}.
 *
 * <p>Writes to the race register do not run during it: an interrupted thread cannot write, and an
 * intent or an announcement that was not withdrawn would have other requests denied for longer than
 * a minute. The register ends its steps once the deadline {@link #isOver}. Thread-safe.
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
  private final Set<Thread> readers = new HashSet<>();
  private boolean expired;

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
    return new Deadline(() -> Instant.EPOCH, DEFAULT);
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
   * Runs a read that ends when the deadline expires; then and after that it fails with a {@link
   * KubeFailure} of kind {@link KubeFailure.Kind#UNAVAILABLE}. Clears the thread's interrupt when
   * it returns, so no other component may interrupt it. May be nested.
   */
  public <T> T during(Supplier<T> reading) {
    Thread thread = Thread.currentThread();
    boolean outermost = entered(thread);
    try {
      T read = reading.get();
      if (isExpired()) {
        // A verdict that is not sent would leave an intent in the register.
        throw expired(null);
      }
      return read;
    } catch (RuntimeException e) {
      // The interrupt caused the failure, not the read.
      throw isExpired() ? expired(e) : e;
    } finally {
      if (outermost) {
        over(thread);
      }
    }
  }

  /** To be called once the response is determined. Idempotent. */
  public synchronized void expire() {
    expired = true;
    readers.forEach(Thread::interrupt);
  }

  public synchronized boolean isExpired() {
    return expired;
  }

  private synchronized boolean entered(Thread thread) {
    if (expired) {
      throw expired(null);
    }
    return readers.add(thread);
  }

  /** Ends the interrupts of this thread, and clears one that is pending. */
  private synchronized void over(Thread thread) {
    readers.remove(thread);
    if (expired) {
      Thread.interrupted();
    }
  }

  private static KubeFailure expired(@Nullable RuntimeException cause) {
    return KubeFailure.unavailable("the deadline of the review expired", cause);
  }
}
