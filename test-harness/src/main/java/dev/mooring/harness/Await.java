package dev.mooring.harness;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for a state by looking again and again, at most once in {@link #PAUSE}. An exception of a
 * look ends the wait.
 */
public final class Await {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private Await() {}

  /**
   * The first answer that is there.
   *
   * @param what named in the {@link HarnessFailure} that is thrown when time is up
   * @param alive asked between looks; throws if waiting on is pointless
   */
  public static <T> T answer(
      String what, Duration atMost, Runnable alive, Supplier<Optional<T>> look) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (true) {
      Optional<T> found = look.get();
      if (found.isPresent()) {
        return found.get();
      }
      alive.run();
      if (System.nanoTime() - deadline > 0) {
        throw new HarnessFailure(
            "Waited " + atMost.toSeconds() + " s without success until " + what + ".");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new HarnessFailure("Interrupted while waiting until " + what + ".");
      }
    }
  }

  /** As {@link #answer}, for a mere yes. */
  public static void until(String what, Duration atMost, Runnable alive, BooleanSupplier look) {
    answer(what, atMost, alive, () -> look.getAsBoolean() ? Optional.of(true) : Optional.empty());
  }
}
