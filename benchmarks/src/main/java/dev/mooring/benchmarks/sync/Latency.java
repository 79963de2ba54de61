package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.sync.Parcels.Parcel;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** From the moment a consumer sends an object until its copy is seen, at a steady rate. */
final class Latency {
  private Latency() {}

  static Quantiles measure(Observed copies, Parcels parcels, int perSecond) {
    Map<String, Long> sent = new ConcurrentHashMap<>();
    Goal goal = copies.expect(parcels.ids(), Optional::isPresent);
    try (var timer = Executors.newScheduledThreadPool(1, Thread.ofVirtual().factory());
        var senders = Executors.newVirtualThreadPerTaskExecutor()) {
      Duration pause = Duration.ofSeconds(1).dividedBy(perSecond);
      for (int i = 0; i < parcels.count(); i++) {
        Parcel parcel = parcels.all().get(i);
        timer.schedule(
            () ->
                senders.submit(() -> {
                  sent.put(parcel.id(), System.nanoTime());
                  return parcel
                      .consumer()
                      .client()
                      .create(Types.PARCELS, Types.parcel(parcel.name()));
                }),
            pause.multipliedBy(i).toNanos(),
            TimeUnit.NANOSECONDS);
      }
      goal.await("copied");
    }
    return new Quantiles(
        parcels.ids().stream()
            .mapToDouble(id -> (goal.timeOf(id) - Objects.requireNonNull(sent.get(id), id)) / 1e6)
            .toArray());
  }
}
