package dev.mooring.depwebhook.admission;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The deadline of one review. Reads that only the response needs run {@link #during} it: once it
 * expires their thread is interrupted, and each read fails with a {@link KubeFailure}.
 *
 * <p>Writes to the race register do not run during it: an interrupted thread cannot write, and an
 * intent or an announcement that was not withdrawn would have other requests denied for longer than
 * a minute. The register ends its steps by {@link #until} itself. Thread-safe.
 */
public final class ReviewDeadline {
  private final Instant until;
  private final Set<Thread> readers = new HashSet<>();
  private boolean expired;

  /**
   * @param until after this no further request is begun
   */
  public ReviewDeadline(Instant until) {
    this.until = Objects.requireNonNull(until, "until");
  }

  /** One that never expires. */
  static ReviewDeadline none() {
    return new ReviewDeadline(Instant.MAX);
  }

  Instant until() {
    return until;
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

  synchronized boolean isExpired() {
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

  private static KubeFailure expired(RuntimeException cause) {
    return new KubeFailure(
        KubeFailure.Kind.UNAVAILABLE, 0, "", "the deadline of the review expired", null, cause);
  }
}
