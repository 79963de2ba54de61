package dev.mooring.runtime.queue;

import java.time.Duration;

/** When a key is to be worked on again, after it was worked on without a failure. */
public sealed interface Next {
  /** When it is added again. */
  record OnEvent() implements Next {}

  /** When it is added again, or after this delay at the latest; zero for as soon as possible. */
  record After(Duration delay) implements Next {
    public After {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("a delay is not negative: " + delay);
      }
    }
  }
}
