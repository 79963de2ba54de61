package dev.mooring.runtime.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A clock for ages. It follows the machine's clock but never goes back: where that is set back, or
 * stands still, this one goes on at the pace of elapsed time, so that an event of an hour ago does
 * not look new. Where the machine's clock leaps ahead, or the machine slept, it goes along: then
 * things look older than they are, which costs a request. Not for points in time that other
 * processes read. Thread-safe.
 */
final class SteadyClock implements InstantSource {
  private final InstantSource machine;
  private final LongSupplier elapsed;
  private Instant last;
  private long lastElapsed;

  /**
   * @param elapsed nanoseconds since whenever; never goes back
   */
  SteadyClock(InstantSource machine, LongSupplier elapsed) {
    this.machine = machine;
    this.elapsed = elapsed;
    this.last = machine.instant();
    this.lastElapsed = elapsed.getAsLong();
  }

  @Override
  public synchronized Instant instant() {
    long nanos = elapsed.getAsLong();
    Instant least = last.plus(Duration.ofNanos(nanos - lastElapsed));
    Instant wall = machine.instant();
    last = wall.isBefore(least) ? least : wall;
    lastElapsed = nanos;
    return last;
  }
}
