package dev.mooring.benchmarks.common;

import java.util.Collection;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** How a duration that was measured many times is spread; in milliseconds. */
public final class Quantiles {
  private final double[] sorted;

  public Quantiles(DoubleStream millis) {
    this.sorted = millis.sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
  }

  public Quantiles(Collection<Double> millis) {
    this(millis.stream().mapToDouble(Double::doubleValue));
  }

  /**
   * Measures one duration after the other.
   *
   * @param prepare gets ready for the sample of a number, and gives what is measured
   */
  public static Quantiles of(int samples, IntFunction<Runnable> prepare) {
    return new Quantiles(
        IntStream.range(0, samples).mapToDouble(i -> millis(prepare.apply(i))).boxed().toList());
  }

  public static double millis(Runnable measured) {
    long begin = System.nanoTime();
    measured.run();
    return millisSince(begin);
  }

  /**
   * @param begin a nanoTime
   */
  public static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }

  /** {@code share} of 0.5 is the median. */
  public double at(double share) {
    return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
  }

  public double median() {
    return at(0.5);
  }
}
