package dev.mooring.benchmarks.common;

import java.util.Arrays;

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

  /** {@code share} of 0.5 is the median. */
  public double at(double share) {
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
  }

  public double max() {
    return sorted[sorted.length - 1];
  }
}
