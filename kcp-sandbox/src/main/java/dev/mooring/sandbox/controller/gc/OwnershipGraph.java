package dev.mooring.sandbox.controller.gc;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.ObjectAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who depends on whom, by the owners' UIDs; objects without owners cost nothing. Follows the store,
 * so it may lag behind it. Thread-safe.
 */
final class OwnershipGraph {
  private final Map<Owner, Set<ObjectAddress>> dependents = new HashMap<>();
  private final Map<ObjectAddress, Set<String>> owners = new HashMap<>();
  // Owners that wait for their dependents, to be told when one is gone.
  private final Map<Owner, ObjectAddress> waiting = new HashMap<>();

  private record Owner(LogicalCluster cluster, String uid) {}

  synchronized void put(ObjectAddress address, KubeObject object) {
    Set<String> now =
        OwnerReference.of(object).stream().map(OwnerReference::uid).collect(Collectors.toSet());
    Set<String> before = owners.getOrDefault(address, Set.of());
    if (!now.equals(before)) {
      before.stream().filter(uid -> !now.contains(uid)).forEach(uid -> unlink(address, uid));
      now.forEach(uid ->
          dependents
              .computeIfAbsent(new Owner(address.cluster(), uid), _ -> new HashSet<>())
              .add(address));
      if (now.isEmpty()) {
        owners.remove(address);
      } else {
        owners.put(address, now);
      }
    }
    if (object.deleting()) {
      waiting.put(new Owner(address.cluster(), object.uid()), address);
    }
  }

  synchronized void remove(ObjectAddress address, String uid) {
    owners.getOrDefault(address, Set.of()).forEach(owner -> unlink(address, owner));
    owners.remove(address);
    waiting.remove(new Owner(address.cluster(), uid));
  }

  synchronized Set<ObjectAddress> dependentsOf(LogicalCluster cluster, String uid) {
    return Set.copyOf(dependents.getOrDefault(new Owner(cluster, uid), Set.of()));
  }

  /** Where the owner is, if it is going and waits for its dependents. */
  synchronized Optional<ObjectAddress> waitingOwner(LogicalCluster cluster, String uid) {
    return Optional.ofNullable(waiting.get(new Owner(cluster, uid)));
  }

  private void unlink(ObjectAddress address, String uid) {
    dependents.computeIfPresent(
        new Owner(address.cluster(), uid),
        (_, addresses) -> {
          addresses.remove(address);
          return addresses.isEmpty() ? null : addresses;
        });
  }
}
