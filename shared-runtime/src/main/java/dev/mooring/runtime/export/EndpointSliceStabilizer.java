package dev.mooring.runtime.export;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Separates a slice that kcp has just created, perhaps in place of a deleted one, from a slice that
 * lists every shard: each shard enters its own URL in its own time. Not thread-safe.
 */
public final class EndpointSliceStabilizer {
  /** Shards hear of a slice through kcp's cache server, in a second or two. */
  static final Duration ENTERED_WITHIN = Duration.ofSeconds(5);

  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Runnable entered;
  private Optional<Seen> youngest = Optional.empty();

  /**
   * @param completeFrom by this process's clock
   */
  private record Seen(String uid, Instant completeFrom) {}

  /**
   * @param entered run once a slice that was new is so no more, on a thread of its own
   */
  public EndpointSliceStabilizer(InstantSource clock, Scheduler scheduler, Runnable entered) {
    this.clock = clock;
    this.scheduler = scheduler;
    this.entered = entered;
  }

  /**
   * @param slices those of the export, as they are now
   */
  public void see(Collection<KubeObject> slices) {
    if (youngest.isPresent() && !mayLackShards()) {
      return; // what was complete once stays known after the slice is deleted
    }
    slices.stream()
        .max(Comparator.comparing(EndpointSliceStabilizer::made))
        .filter(slice -> youngest.filter(seen -> seen.uid().equals(slice.uid())).isEmpty())
        .ifPresent(this::seeAnother);
  }

  /** Whether a shard may still have to enter its URL. */
  public boolean mayLackShards() {
    return youngest.filter(seen -> clock.instant().isBefore(seen.completeFrom())).isPresent();
  }

  /** However far the clocks of kcp and of this process are apart, it is not waited for longer. */
  private void seeAnother(KubeObject slice) {
    Instant now = clock.instant();
    Instant byAge = made(slice).plus(ENTERED_WITHIN);
    Instant atMost = now.plus(ENTERED_WITHIN);
    Instant completeFrom = byAge.isBefore(atMost) ? byAge : atMost;
    youngest = Optional.of(new Seen(slice.uid(), completeFrom));
    if (now.isBefore(completeFrom)) {
      scheduler.after(
          Duration.between(now, completeFrom).plusMillis(1),
          () -> Thread.ofVirtual().name("endpoint-slice").start(entered));
    }
  }

  private static Instant made(KubeObject slice) {
    try {
      return Instant.parse(slice.text("metadata", "creationTimestamp"));
    } catch (DateTimeParseException e) {
      return Instant.EPOCH;
    }
  }
}
