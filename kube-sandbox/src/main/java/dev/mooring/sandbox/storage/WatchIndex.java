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
  private final Map<Optional<LogicalCluster>, List<Entry>> byCluster = new HashMap<>();

  private record Entry(ListScope scope, QueuedWatch watch) {}

  void add(ListScope scope, QueuedWatch watch) {
    byCluster.computeIfAbsent(scope.cluster(), _ -> new ArrayList<>()).add(new Entry(scope, watch));
  }

  void remove(ListScope scope, QueuedWatch watch) {
    byCluster.computeIfPresent(
        scope.cluster(),
        (_, entries) -> {
          entries.remove(new Entry(scope, watch));
          return entries.isEmpty() ? null : entries;
        });
  }

  void offer(StoreEvent event) {
    LogicalCluster cluster = event.object().key().cluster();
    offer(event, byCluster.getOrDefault(Optional.of(cluster), List.of()));
    offer(event, byCluster.getOrDefault(Optional.<LogicalCluster>empty(), List.of()));
  }

  void closeWithin(ListScope scope) {
    byCluster.forEach((cluster, entries) -> {
      if (scope.cluster().isEmpty() || scope.cluster().equals(cluster)) {
        entries.forEach(entry -> entry.watch().end("the resource is not served any more"));
      }
    });
  }

  private static void offer(StoreEvent event, List<Entry> entries) {
    for (Entry entry : entries) {
      if (entry.scope().covers(event.object().key().objectKey())) {
        entry.watch().offer(event);
      }
    }
  }
}
