package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.syncagent.fleet.SharedWatches.Side;
import dev.mooring.syncagent.related.decide.Place;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which primaries are to be looked at again when an object changes: what each primary's last pass
 * looked at, existing or not. Thread-safe.
 */
final class RelatedIndex {
  /**
   * An object that a primary depends on.
   *
   * @param cluster {@link LogicalCluster#NONE} on the service cluster
   */
  record Target(Side side, ResourceType type, LogicalCluster cluster, Place place) {}

  private final Map<ObjectKey, Set<Target>> targets = new HashMap<>();
  private final Map<Target, Set<ObjectKey>> primaries = new HashMap<>();

  synchronized void replace(ObjectKey primary, Set<Target> now) {
    Set<Target> before = now.isEmpty() ? targets.remove(primary) : targets.put(primary, now);
    if (before != null) {
      for (Target target : before) {
        if (!now.contains(target)) {
          primaries.computeIfPresent(
              target,
              (_, keys) -> {
                keys.remove(primary);
                return keys.isEmpty() ? null : keys;
              });
        }
      }
    }
    now.forEach(target -> primaries.computeIfAbsent(target, _ -> new HashSet<>()).add(primary));
  }

  synchronized Set<ObjectKey> primariesOf(Target target) {
    return Set.copyOf(primaries.getOrDefault(target, Set.of()));
  }
}
