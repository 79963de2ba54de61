package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Keys whose objects wait until caches are filled; {@code requeue} must not block. Thread-safe. */
final class PostponedKeys {
  private final Set<ObjectKey> keys = ConcurrentHashMap.newKeySet();
  private final Consumer<ObjectKey> requeue;

  PostponedKeys(Consumer<ObjectKey> requeue) {
    this.requeue = requeue;
  }

  void add(ObjectKey key) {
    keys.add(key);
  }

  void requeue(ObjectKey key) {
    // Removed first: a worker may postpone the key again at once, and that must not be undone.
    if (keys.remove(key)) {
      requeue.accept(key);
    }
  }

  void requeueAll() {
    keys.forEach(this::requeue);
  }
}
