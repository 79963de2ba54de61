package dev.mooring.benchmarks.common;

import java.util.Arrays;
import java.util.function.IntFunction;

/** How a duration that was measured many times is spread; in milliseconds. */
public final class Quantiles {
  private final double[] sorted;

  /**
   * @param millis one for each time it was measured, at least one
   */
  public Quantiles(double[] millis) {
    if (millis.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    this.sorted = millis.clone();
    Arrays.sort(sorted);
  }

  /**
   * Measures one duration after the other.
   *
   * @param prepare gets ready for the sample of a number, and gives what is measured
   */
  public static Quantiles of(int samples, IntFunction<Runnable> prepare) {
    var millis = new double[samples];
    for (int i = 0; i < samples; i++) {
      Runnable measured = prepare.apply(i);
      long begin = System.nanoTime();
      measured.run();
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    return new Quantiles(millis);
  }

  /** {@code share} of 0.5 is the median. */
  public double at(double share) {
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
  }

  public double max() {
    return sorted[sorted.length - 1];
  }
}
