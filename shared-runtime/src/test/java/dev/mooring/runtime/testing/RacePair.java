package dev.mooring.depwebhook.endpoint;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * A deletion and a reference that were asked for at once, and how long each took.
 *
 * @param referring whether the dependent refers to the target in the end
 * @param there whether the target is there in the end
 */
record RacePair(Attempt deletion, Attempt reference, boolean referring, boolean there) {
  /**
   * One request.
   *
   * @param begin and {@code end} in nanoseconds of one clock
   * @param code 0 if it succeeded; else the HTTP status
   * @param message empty if it succeeded
   * @param retryAfter by which the server asks its client to come back; zero if it does not
   */
  record Attempt(long begin, long end, int code, String message, Duration retryAfter) {
    boolean succeeded() {
      return code == 0;
    }

    /** By the register, for the other one's sake. */
    boolean inFlight() {
      return code == 429;
    }

    /** Whether clients that know of it ask again by themselves. */
    boolean comesBack() {
      return retryAfter.equals(Duration.ofSeconds(1));
    }
  }

  /** Whether there was a moment at which both were under way. */
  boolean overlapped() {
    return deletion.begin < reference.end && reference.begin < deletion.end;
  }

  boolean dangling() {
    return referring && !there;
  }

  /**
   * Runs both from one start.
   *
   * @param later by which the reference is asked for after the deletion, so that many pairs meet in
   *     many ways
   */
  static Attempt[] race(
      ExecutorService threads, Duration later, Runnable deletion, Runnable reference)
      throws Exception {
    var start = new CyclicBarrier(2);
    Future<Attempt> one = threads.submit(() -> attempt(start, Duration.ZERO, deletion));
    Future<Attempt> other = threads.submit(() -> attempt(start, later, reference));
    try {
      return new Attempt[] {one.get(), other.get()};
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static Attempt attempt(CyclicBarrier start, Duration later, Runnable request)
      throws Exception {
    start.await();
    LockSupport.parkNanos(later.toNanos());
    long begin = System.nanoTime();
    try {
      request.run();
      return new Attempt(begin, System.nanoTime(), 0, "", Duration.ZERO);
    } catch (KubeFailure failure) {
      return new Attempt(
          begin,
          System.nanoTime(),
          failure.code(),
          failure.getMessage(),
          Objects.requireNonNullElse(failure.retryAfter(), Duration.ZERO));
    }
  }
}
