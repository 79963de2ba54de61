package dev.mooring.runtime.time;

import java.time.Duration;

/** Lets the calling thread wait. Thread-safe. */
@FunctionalInterface
public interface Pause {
  /** Returns early, with the thread's interrupt status set, if the thread is interrupted. */
  void forAbout(Duration duration);
}
