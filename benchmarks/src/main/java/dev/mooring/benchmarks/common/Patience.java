package dev.mooring.benchmarks.common;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a state by looking again and again: for what is not measured. */
public final class Patience {
  /** A Go agent takes minutes for a thousand objects. */
  public static final Duration MAX = Duration.ofMinutes(15);

  private static final Duration PAUSE = Duration.ofMillis(250);

  private Patience() {}

  /** Throws {@link BenchmarkFailure} once {@link #MAX} is over. */
  public static <T> T await(String what, Supplier<Optional<T>> look) {
    long begin = System.nanoTime();
    while (true) {
      Optional<T> found = look.get();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() - begin > MAX.toNanos()) {
        throw new BenchmarkFailure("Waited " + MAX + " in vain until " + what);
      }
      rest(PAUSE);
    }
  }

  public static void rest(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
