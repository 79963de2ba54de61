package dev.mooring.syncagent.endpoint;

import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.sync.ObjectSync;
import dev.mooring.syncagent.sync.SyncStatistics;
import dev.mooring.syncagent.sync.SyncStatistics.Direction;
import dev.mooring.syncagent.sync.SyncStatistics.Done;
import dev.mooring.syncagent.sync.decide.ObjectCounts;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Every published type's figures, taken when they are asked for: types come and go, and their
 * series with them. The names are in {@code docs/reference/metrics.md}.
 */
public final class SyncMetrics implements MeterBinder, MultiCollector {
  private final Supplier<List<ObjectSync>> syncs;

  public SyncMetrics(SyncAgent agent) {
    this(agent::syncs);
  }

  SyncMetrics(Supplier<List<ObjectSync>> syncs) {
    this.syncs = syncs;
  }

  /** Registries of other kinds are not served by this agent. */
  @Override
  public void bindTo(MeterRegistry registry) {
    if (registry instanceof PrometheusMeterRegistry prometheus) {
      prometheus.getPrometheusRegistry().register(this);
    }
  }

  @Override
  public MetricSnapshots collect() {
    List<ObjectSync> running = syncs.get();
    return new MetricSnapshots(
        objects(running),
        gauge(running, "mooring_sync_copies", "Copies on the service cluster", ObjectSync::copies),
        gauge(
            running,
            "mooring_sync_queued",
            "Objects that wait to be looked at, or are being looked at",
            ObjectSync::queued),
        gauge(
            running,
            "mooring_sync_oldest_unsynced_seconds",
            "Age in seconds of the oldest unsynced object; refused objects do not count",
            sync -> seconds(sync.statistics().oldestUnsynced())),
        gauge(
            running,
            "mooring_sync_followed",
            "1 while all objects are listed and watched, 0 while a list or watch fails",
            sync -> sync.isFollowed() ? 1 : 0),
        writes(running),
        conflicts(running),
        errors(running),
        refusals(running),
        latencies(running));
  }

  private static GaugeSnapshot objects(List<ObjectSync> running) {
    var snapshot =
        GaugeSnapshot.builder().name("mooring_sync_objects").help("Consumers' objects by state");
    for (ObjectSync sync : running) {
      ObjectCounts now = sync.countsSoFar();
      long refused = Math.min(sync.refused(), now.failed());
      var counts =
          Map.of(
              "synced",
              now.synced(),
              "pending",
              now.pending(),
              "failed",
              now.failed() - refused,
              "refused",
              refused);
      counts.forEach((state, count) ->
          snapshot.dataPoint(
              GaugeDataPointSnapshot.builder()
                  .labels(labels(sync).add("state", state))
                  .value(count)
                  .build()));
    }
    return snapshot.build();
  }

  private static GaugeSnapshot gauge(
      List<ObjectSync> running, String name, String help, ToDoubleFunction<ObjectSync> value) {
    var snapshot = GaugeSnapshot.builder().name(name).help(help);
    for (ObjectSync sync : running) {
      snapshot.dataPoint(
          GaugeDataPointSnapshot.builder()
              .labels(labels(sync))
              .value(value.applyAsDouble(sync))
              .build());
    }
    return snapshot.build();
  }

  private static CounterSnapshot writes(List<ObjectSync> running) {
    var snapshot = CounterSnapshot.builder().name("mooring_sync_writes").help("Objects written");
    each(
        running,
        (sync, direction, done) ->
            snapshot.dataPoint(counted(labels(sync, direction), done.writes())));
    return snapshot.build();
  }

  private static CounterSnapshot conflicts(List<ObjectSync> running) {
    var snapshot =
        CounterSnapshot.builder()
            .name("mooring_sync_conflicts")
            .help("Writes that something else was faster than");
    each(
        running,
        (sync, direction, done) ->
            snapshot.dataPoint(counted(labels(sync, direction), done.conflicts())));
    return snapshot.build();
  }

  private static CounterSnapshot errors(List<ObjectSync> running) {
    var snapshot =
        CounterSnapshot.builder().name("mooring_sync_errors").help("Failed attempts by reason");
    each(
        running,
        (sync, direction, done) ->
            done.errors()
                .forEach((reason, count) ->
                    snapshot.dataPoint(
                        counted(labels(sync, direction).add("reason", reason), count))));
    return snapshot.build();
  }

  private static CounterSnapshot refusals(List<ObjectSync> running) {
    var snapshot =
        CounterSnapshot.builder()
            .name("mooring_sync_refusals")
            .help("Objects refused by a rule or a server, by reason");
    for (ObjectSync sync : running) {
      sync.statistics()
          .refusals()
          .forEach((reason, count) ->
              snapshot.dataPoint(counted(labels(sync).add("reason", reason), count)));
    }
    return snapshot.build();
  }

  private static HistogramSnapshot latencies(List<ObjectSync> running) {
    var snapshot =
        HistogramSnapshot.builder()
            .name("mooring_sync_latency_seconds")
            .help("From noticing a change to having carried it over");
    each(
        running,
        (sync, direction, done) ->
            snapshot.dataPoint(
                HistogramDataPointSnapshot.builder()
                    .labels(labels(sync, direction))
                    .classicHistogramBuckets(buckets(done))
                    .sum(seconds(done.latencySum()))
                    .build()));
    return snapshot.build();
  }

  private static ClassicHistogramBuckets buckets(Done done) {
    var buckets = ClassicHistogramBuckets.builder();
    for (int i = 0; i < done.latencies().size(); i++) {
      buckets.bucket(
          i < SyncStatistics.LATENCY_BOUNDS.size()
              ? seconds(SyncStatistics.LATENCY_BOUNDS.get(i))
              : Double.POSITIVE_INFINITY,
          done.latencies().get(i));
    }
    return buckets.build();
  }

  private interface Each {
    void take(ObjectSync sync, Direction direction, Done done);
  }

  private static void each(List<ObjectSync> running, Each each) {
    for (ObjectSync sync : running) {
      for (Direction direction : Direction.values()) {
        each.take(sync, direction, sync.statistics().done(direction));
      }
    }
  }

  private static CounterDataPointSnapshot counted(Labels labels, long value) {
    return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
  }

  private static Labels labels(ObjectSync sync, Direction direction) {
    return labels(sync).add("direction", direction.name().toLowerCase(Locale.ROOT));
  }

  private static Labels labels(ObjectSync sync) {
    return Labels.of("published_resource", sync.publishedName());
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
