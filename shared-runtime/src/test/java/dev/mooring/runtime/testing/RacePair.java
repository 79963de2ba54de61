package dev.mooring.runtime.testing;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.util.List;
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
public record RacePair(Attempt deletion, Attempt reference, boolean referring, boolean there) {
  /**
   * One request.
   *
   * @param begin and {@code end} in nanoseconds of one clock
   * @param code 0 if it succeeded; else the HTTP status
   * @param message empty if it succeeded
   * @param retryAfter by which the server asks its client to come back; zero if it does not
   */
  public record Attempt(long begin, long end, int code, String message, Duration retryAfter) {
    public boolean succeeded() {
      return code == 0;
    }

    /**
     * Whether the client knows what to do: it succeeded, was refused for good, or is asked to come
     * back. Nobody can help it where the API server itself was too slow to wait for an answer.
     */
    public boolean clear() {
      return switch (code) {
        case 0, 403 -> true;
        case 429, 503 -> comesBack();
        default -> message.contains("context deadline exceeded");
      };
    }

    /** By the register, for the other one's sake. */
    public boolean inFlight() {
      return code == 429;
    }

    /** Whether clients that know of it ask again by themselves. */
    public boolean comesBack() {
      return retryAfter.equals(Duration.ofSeconds(1));
    }
  }

  /** Whether there was a moment at which both were under way. */
  public boolean overlapped() {
    return deletion.begin < reference.end && reference.begin < deletion.end;
  }

  public boolean dangling() {
    return referring && !there;
  }

  /**
   * Runs both from one start.
   *
   * @param later by which the reference is asked for after the deletion, so that many pairs meet in
   *     many ways
   */
  static List<Attempt> race(
      ExecutorService threads, Duration later, Runnable deletion, Runnable reference)
      throws Exception {
    var start = new CyclicBarrier(2);
    Future<Attempt> one = threads.submit(() -> attempt(start, Duration.ZERO, deletion));
    Future<Attempt> other = threads.submit(() -> attempt(start, later, reference));
    try {
      return List.of(one.get(), other.get());
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
