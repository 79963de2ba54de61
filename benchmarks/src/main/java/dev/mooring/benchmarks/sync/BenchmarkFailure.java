package dev.mooring.benchmarks.sync;

/** The run cannot go on, or what an agent left behind is not what it should be. */
final class BenchmarkFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BenchmarkFailure(String message) {
    super(message);
  }

  BenchmarkFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
