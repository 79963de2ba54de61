package dev.mooring.syncagent.sync;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.published.Side;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.search.Search;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The meters of one published type, from the start of its sync to the end. The names are in {@code
 * docs/reference/metrics.md}. Thread-safe.
 */
final class SyncMeters implements AutoCloseable {
  private static final String PREFIX = "mooring.sync.";

  /** Upper bounds of the latency's buckets but the last, which has none. */
  static final Duration[] LATENCY_BOUNDS =
      Stream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Tags tags;

  SyncMeters(MeterRegistry registry, String publishedName) {
    this.registry = registry;
    this.tags = Tags.of("published_resource", publishedName);
    for (Side target : Side.values()) {
      writes(target);
      conflicts(target);
      latency(target);
    }
    // A rate needs the series before its first increment.
    for (KubeFailure.Kind kind : KubeFailure.Kind.values()) {
      String reason = kind.name().toLowerCase(Locale.ROOT);
      if (SyncReporter.isRefusal(kind)) {
        refusals(reason);
      } else {
        Stream.of(Side.values()).forEach(target -> errors(target, reason));
      }
    }
  }

  /** Shows the sync's present state as well. */
  void watch(SyncStatus sync) {
    state(sync, "synced", s -> s.countsSoFar().synced());
    state(sync, "pending", s -> s.countsSoFar().pending());
    state(sync, "failed", s -> Math.max(0, s.countsSoFar().failed() - s.refused()));
    state(sync, "refused", SyncStatus::refused);
    gauge(sync, "copies", "Copies on the service cluster", SyncStatus::copies);
    gauge(
        sync, "queued", "Objects that wait for a reconcile, or are reconciled", SyncStatus::queued);
    gauge(
        sync,
        "oldest.unsynced.seconds",
        "Age in seconds of the oldest unsynced object; refused objects do not count",
        s -> s.oldestUnsynced().toNanos() / 1e9);
    gauge(
        sync,
        "followed",
        "1 while all objects are listed and watched, 0 while a list or watch fails",
        s -> s.isFollowed() ? 1 : 0);
  }

  private void state(SyncStatus sync, String state, ToDoubleFunction<SyncStatus> count) {
    Gauge.builder(PREFIX + "objects", sync, count)
        .description("Consumers' objects by state")
        .tags(tags.and("state", state))
        .register(registry);
  }

  private void gauge(
      SyncStatus sync, String name, String description, ToDoubleFunction<SyncStatus> value) {
    Gauge.builder(PREFIX + name, sync, value)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /** A write that carries over no content, such as that of a finalizer. */
  void wrote(Side target) {
    writes(target).increment();
  }

  /**
   * A write that carries over content or status; latency is the time since the change was noticed.
   */
  void carried(Side target, Optional<Duration> latency) {
    wrote(target);
    latency.ifPresent(latency(target)::record);
  }

  void conflicted(Side target) {
    conflicts(target).increment();
  }

  void failed(Side target, String reason) {
    errors(target, reason).increment();
  }

  /** A rule or a server refuses an object, until its consumer or the provider changes it. */
  void refused(String reason) {
    refusals(reason).increment();
  }

  private Counter errors(Side target, String reason) {
    return counter("errors", "Failed attempts by reason", of(target).and("reason", reason));
  }

  private Counter refusals(String reason) {
    return counter(
        "refusals", "Objects refused by a rule or a server, by reason", tags.and("reason", reason));
  }

  private Counter writes(Side target) {
    return counter("writes", "Objects written", of(target));
  }

  private Counter conflicts(Side target) {
    return counter("conflicts", "Writes rejected with a conflict (409) and retried", of(target));
  }

  private Timer latency(Side target) {
    return Timer.builder(PREFIX + "latency")
        .description("Time from noticing a change to having written it to the other side")
        .serviceLevelObjectives(LATENCY_BOUNDS)
        .tags(of(target))
        .register(registry);
  }

  private Counter counter(String name, String description, Tags labels) {
    return Counter.builder(PREFIX + name).description(description).tags(labels).register(registry);
  }

  private Tags of(Side target) {
    return tags.and("direction", target == Side.SERVICE ? "down" : "up");
  }

  /** The series end. */
  @Override
  public void close() {
    Search.in(registry)
        .name(name -> name.startsWith(PREFIX))
        .tags(tags)
        .meters()
        .forEach(registry::remove);
  }
}
