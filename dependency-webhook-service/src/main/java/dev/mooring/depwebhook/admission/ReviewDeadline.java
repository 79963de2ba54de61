package dev.mooring.depwebhook.admission;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Who waits for the answer to one review: until when, and whether still. Reading that is of use to
 * the answer alone is done {@link #during} that, and ends once nobody waits: the thread is
 * interrupted, to which every read answers with a {@link KubeFailure}.
 *
 * <p>Only such reading is. What is written to the race register, above all what is taken back from
 * it, is not done during it: a thread that is interrupted cannot write, and an intent or an
 * announcement that stayed behind would have others refused for longer than a minute. The register
 * has its steps end by {@link #until} itself. Thread-safe.
 */
public final class ReviewDeadline {
  private final Instant until;
  private final Set<Thread> readers = new HashSet<>();
  private boolean gone;

  /**
   * @param until after this nothing more is begun
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
   * Carries out what ends when the deadline leaves; then and after that it is a {@link KubeFailure}
   * of kind {@link KubeFailure.Kind#UNAVAILABLE}. The thread is not interrupted any more when this
   * returns, so nobody else may interrupt it. May be nested.
   */
  public <T> T during(Supplier<T> reading) {
    Thread thread = Thread.currentThread();
    boolean outermost = entered(thread);
    try {
      T read = reading.get();
      if (isGone()) {
        // Leave that nobody hears of would stay in the register as an intent.
        throw left(null);
      }
      return read;
    } catch (RuntimeException e) {
      // Whatever the interruption came to, it is no mistake of the reader's.
      throw isGone() ? left(e) : e;
    } finally {
      if (outermost) {
        over(thread);
      }
    }
  }

  /** To be called once it is certain that what is still found out is not heard. Idempotent. */
  public synchronized void leaves() {
    gone = true;
    readers.forEach(Thread::interrupt);
  }

  synchronized boolean isGone() {
    return gone;
  }

  private synchronized boolean entered(Thread thread) {
    if (gone) {
      throw left(null);
    }
    return readers.add(thread);
  }

  /** From here on it is not interrupted, and it forgets that it was. */
  private synchronized void over(Thread thread) {
    readers.remove(thread);
    if (gone) {
      Thread.interrupted();
    }
  }

  private static KubeFailure left(RuntimeException cause) {
    return new KubeFailure(
        KubeFailure.Kind.UNAVAILABLE, 0, "", "nobody waits for the answer any more", null, cause);
  }
}
