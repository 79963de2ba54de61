package dev.mooring.planted.feature;

import java.time.Instant;
import java.util.function.Supplier;

/** Breaks the rule of time, in a way that is no call. */
public final class Ambient {
  private Ambient() {}

  static Supplier<Instant> clock() {
    return Instant::now;
  }
}
