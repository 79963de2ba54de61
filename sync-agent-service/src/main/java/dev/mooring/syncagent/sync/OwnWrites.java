package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Copies and Namespaces that were created, until the watch has shown them: a source must not be
 * released while its newest copy is still on the way into the cache. Bounded by the workers: a key
 * is worked on by one at a time, and its entry goes with the next event. Thread-safe.
 */
final class OwnWrites {
  private final ConcurrentHashMap<ObjectKey, KubeObject> created = new ConcurrentHashMap<>();

  private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

  void created(ObjectKey source, KubeObject copy) {
    created.put(source, copy);
  }

  Optional<KubeObject> find(ObjectKey source) {
    return Optional.ofNullable(created.get(source));
  }

  void createdNamespace(String name) {
    namespaces.add(name);
  }

  boolean hasNamespace(String name) {
    return namespaces.contains(name);
  }

  /** The watch has shown something of this Namespace. */
  void namespaceShown(String name) {
    namespaces.remove(name);
  }

  /** The watch has shown something of this source's copy, or the server said that it is gone. */
  void shown(ObjectKey source) {
    created.remove(source);
  }
}
