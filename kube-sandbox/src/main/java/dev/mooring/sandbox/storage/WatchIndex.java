package dev.mooring.sandbox.storage;

import dev.mooring.model.identity.LogicalCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The watches of one resource, by logical cluster, so that a write costs as much as there are
 * watches that may care. Guarded by the lock of the {@link WatchLog}.
 */
final class WatchIndex {
  private final Map<Optional<LogicalCluster>, List<QueuedWatch>> byCluster = new HashMap<>();

  void add(QueuedWatch watch) {
    byCluster.computeIfAbsent(watch.scope().cluster(), _ -> new ArrayList<>()).add(watch);
  }

  void remove(QueuedWatch watch) {
    byCluster.computeIfPresent(
        watch.scope().cluster(),
        (_, watches) -> {
          watches.remove(watch);
          return watches.isEmpty() ? null : watches;
        });
  }

  void offer(StoreEvent event) {
    LogicalCluster cluster = event.object().key().cluster();
    offer(event, byCluster.getOrDefault(Optional.of(cluster), List.of()));
    offer(event, byCluster.getOrDefault(Optional.<LogicalCluster>empty(), List.of()));
  }

  void closeWithin(ListScope scope) {
    byCluster.forEach((cluster, watches) -> {
      if (scope.cluster().isEmpty() || scope.cluster().equals(cluster)) {
        watches.forEach(watch -> watch.end("the resource is not served any more"));
      }
    });
  }

  private static void offer(StoreEvent event, List<QueuedWatch> watches) {
    for (QueuedWatch watch : watches) {
      if (watch.scope().covers(event.object().key().objectKey())) {
        watch.offer(event);
      }
    }
  }
}
