package dev.mooring.runtime.queue;

import java.time.Duration;

/** When a key is reconciled again, after a pass without a failure. */
public sealed interface ReconcileResult {
  /** When it is added again. */
  record Done() implements ReconcileResult {}

  /** When it is added again, or after this delay at the latest; zero for as soon as possible. */
  record RequeueAfter(Duration delay) implements ReconcileResult {
    public RequeueAfter {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("a delay is not negative: " + delay);
      }
    }
  }
}
