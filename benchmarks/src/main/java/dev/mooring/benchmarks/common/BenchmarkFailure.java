package dev.mooring.benchmarks.common;

/** The run cannot go on, or what an agent left behind is not what it should be. */
public final class BenchmarkFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BenchmarkFailure(String message) {
    super(message);
  }

  public BenchmarkFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
