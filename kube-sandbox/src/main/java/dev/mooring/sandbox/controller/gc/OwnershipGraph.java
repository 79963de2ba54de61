package dev.mooring.sandbox.controller.gc;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.StorageKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who depends on whom, by the owners' UIDs; objects without owners cost nothing. Follows the store,
 * so it may lag behind it. Thread-safe.
 */
final class OwnershipGraph {
  /** As many as Kubernetes remembers. */
  static final int GONE_MAX = 500;

  private final Map<Owner, Set<StorageKey>> dependents = new HashMap<>();
  private final Map<StorageKey, Set<String>> owners = new HashMap<>();
  // Owners that wait for their dependents; enqueued when one is gone.
  private final Map<Owner, StorageKey> waiting = new HashMap<>();

  // Those that were deleted last and had dependents: their kinds may be gone with them.
  private final Map<Gone, Boolean> gone =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Gone, Boolean> eldest) {
          return size() > GONE_MAX;
        }
      };

  private record Gone(Owner owner, String kind, String name) {}

  private record Owner(LogicalCluster cluster, String uid) {}

  /** Answers the UIDs of the owners that it had before. */
  synchronized Set<String> put(StorageKey key, KubeObject object) {
    Set<String> now =
        OwnerReference.of(object).stream().map(OwnerReference::uid).collect(Collectors.toSet());
    Set<String> before = owners.getOrDefault(key, Set.of());
    if (!now.equals(before)) {
      before.stream().filter(uid -> !now.contains(uid)).forEach(uid -> unlink(key, uid));
      now.forEach(uid ->
          dependents.computeIfAbsent(new Owner(key.cluster(), uid), _ -> new HashSet<>()).add(key));
      if (now.isEmpty()) {
        owners.remove(key);
      } else {
        owners.put(key, now);
      }
    }
    if (object.deleting()) {
      waiting.put(new Owner(key.cluster(), object.uid()), key);
    }
    return before;
  }

  synchronized void remove(StorageKey key, KubeObject object) {
    owners.getOrDefault(key, Set.of()).forEach(owner -> unlink(key, owner));
    owners.remove(key);
    var owner = new Owner(key.cluster(), object.uid());
    waiting.remove(owner);
    if (dependents.containsKey(owner)) {
      gone.put(new Gone(owner, object.kind(), object.name()), true);
    }
  }

  /** Whether the owner was deleted not long ago, and had dependents then. */
  synchronized boolean isGone(LogicalCluster cluster, OwnerReference reference) {
    var owner = new Owner(cluster, reference.uid());
    return gone.containsKey(new Gone(owner, reference.kind(), reference.name()));
  }

  synchronized Set<StorageKey> dependentsOf(LogicalCluster cluster, String uid) {
    return Set.copyOf(dependents.getOrDefault(new Owner(cluster, uid), Set.of()));
  }

  /** Where the owner is, if it is going and waits for its dependents. */
  synchronized Optional<StorageKey> waitingOwner(LogicalCluster cluster, String uid) {
    return Optional.ofNullable(waiting.get(new Owner(cluster, uid)));
  }

  private void unlink(StorageKey key, String uid) {
    dependents.computeIfPresent(
        new Owner(key.cluster(), uid),
        (_, keys) -> {
          keys.remove(key);
          return keys.isEmpty() ? null : keys;
        });
  }
}
