package dev.mooring.benchmarks.common;

import dev.mooring.harness.HarnessFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a state by looking again and again. Throws {@link HarnessFailure} in the end. */
public final class Waiting {
  /** A Go agent takes minutes for a thousand objects. */
  public static final Duration MAX = Duration.ofMinutes(15);

  private static final Duration PAUSE = Duration.ofMillis(250);

  /** A share of what is measured that does not matter. */
  private static final Duration CLOSE_LOOK = Duration.ofMillis(2);

  /** Looking takes from those who are measured: a tenth of the time at most. */
  private static final int LOOK_SHARE = 9;

  private Waiting() {}

  /** For what is not measured. */
  public static <T> T await(String what, Supplier<Optional<T>> look) {
    return await(what, look, PAUSE, LOOK_SHARE);
  }

  /** As {@link #await(String, Supplier)}, for a mere yes. */
  public static void await(String what, BooleanSupplier look) {
    await(what, answer(look), PAUSE, LOOK_SHARE);
  }

  /** For what is measured: looks every few milliseconds. */
  public static void awaitClosely(String what, BooleanSupplier look) {
    await(what, answer(look), CLOSE_LOOK, 0);
  }

  private static Supplier<Optional<Boolean>> answer(BooleanSupplier look) {
    return () -> look.getAsBoolean() ? Optional.of(true) : Optional.empty();
  }

  private static <T> T await(
      String what, Supplier<Optional<T>> look, Duration pause, int lookShare) {
    long begin = System.nanoTime();
    while (true) {
      long lookBegin = System.nanoTime();
      Optional<T> found = look.get();
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() - begin > MAX.toNanos()) {
        throw new HarnessFailure("Waited " + MAX + " without success until " + what);
      }
      Duration share = Duration.ofNanos(lookShare * (System.nanoTime() - lookBegin));
      rest(share.compareTo(pause) > 0 ? share : pause);
    }
  }

  public static void rest(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
