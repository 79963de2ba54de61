package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.syncagent.published.Side;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SyncMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SyncMeters meters = new SyncMeters(registry, "certificates");

  @Test
  void takesTheLatencyOfAWriteThatCarriesContent() {
    meters.carried(Side.SERVICE, Optional.of(Duration.ofMillis(80)));

    assertThat(count("writes", "down")).isEqualTo(1);
    assertThat(count("writes", "up")).isZero();
    Timer latency = latency("down");
    assertThat(latency.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(80);
    assertThat(latency.takeSnapshot().histogramCounts())
        .hasSize(SyncMeters.LATENCY_BOUNDS.length)
        .allSatisfy(bucket ->
            assertThat(bucket.count())
                .isEqualTo(bucket.bucket(TimeUnit.MILLISECONDS) >= 100 ? 1 : 0));
  }

  @Test
  void countsWhatTookLongerThanEveryBound() {
    meters.carried(Side.KCP, Optional.of(Duration.ofHours(1)));

    assertThat(latency("up").count()).isEqualTo(1);
    assertThat(Stream.of(latency("up").takeSnapshot().histogramCounts()).map(CountAtBucket::count))
        .containsOnly(0.0);
  }

  @Test
  void takesNoTimeOfAWriteThatCarriesNothing() {
    meters.wrote(Side.KCP);

    assertThat(count("writes", "up")).isEqualTo(1);
    assertThat(latency("up").count()).isZero();
  }

  @Test
  void countsConflictsAndErrorsByReasonAndDirection() {
    meters.conflicted(Side.KCP);
    meters.failed(Side.SERVICE, "forbidden");
    meters.failed(Side.SERVICE, "forbidden");
    meters.failed(Side.SERVICE, "unavailable");

    assertThat(count("conflicts", "up")).isEqualTo(1);
    assertThat(errors("up", "forbidden")).isZero();
    assertThat(errors("down", "forbidden")).isEqualTo(2);
    assertThat(errors("down", "unavailable")).isEqualTo(1);
  }

  @Test
  void startsTheSeriesOfEachReasonBeforeItsFirstFailure() {
    assertThat(errors("down", "conflict")).isZero();
    assertThat(errors("up", "unavailable")).isZero();
    assertThat(registry.find("mooring.sync.refusals").counters())
        .extracting(refusals -> refusals.getId().getTag("reason"))
        .containsExactlyInAnyOrder("invalid", "too_large");
    assertThat(registry.find("mooring.sync.errors").tag("reason", "invalid").counter()).isNull();
  }

  @Test
  void endsItsSeriesAndNoOthers() {
    var others = new SyncMeters(registry, "orders");
    meters.failed(Side.SERVICE, "invalid");

    meters.close();

    assertThat(registry.getMeters())
        .isNotEmpty()
        .allSatisfy(
            meter -> assertThat(meter.getId().getTag("published_resource")).isEqualTo("orders"));
    others.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  private double count(String name, String direction) {
    return registry.get("mooring.sync." + name).tag("direction", direction).counter().count();
  }

  private double errors(String direction, String reason) {
    return registry
        .get("mooring.sync.errors")
        .tags("direction", direction, "reason", reason)
        .counter()
        .count();
  }

  private Timer latency(String direction) {
    return registry.get("mooring.sync.latency").tag("direction", direction).timer();
  }
}
