package dev.mooring.runtime.watch;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one way into a cache: every change of it is told to the listeners, in the same order. */
final class CacheUpdates {
  private static final Logger LOG = LoggerFactory.getLogger(CacheUpdates.class);

  private final ObjectCache cache;

  /** Held while the cache changes and while listeners are told of it. */
  private final ReentrantLock writing = new ReentrantLock();

  private final List<ChangeListener> listeners = new ArrayList<>();

  private final UnaryOperator<KubeObject> kept;

  CacheUpdates(ObjectCache cache, UnaryOperator<KubeObject> kept) {
    this.cache = cache;
    this.kept = kept;
  }

  ObjectCache cache() {
    return cache;
  }

  void add(ChangeListener listener) {
    writing.lock();
    try {
      for (KubeObject object : cache.all()) {
        tell(listener, new Change.Added(cache.key(object), object));
      }
      listeners.add(listener);
    } finally {
      writing.unlock();
    }
  }

  /** The whole content as the server has it: whatever is not listed is gone. */
  void replace(List<KubeObject> listed) {
    writing.lock();
    try {
      Map<ObjectKey, KubeObject> present = HashMap.newHashMap(listed.size());
      for (KubeObject object : listed) {
        present.put(cache.key(object), object);
      }
      for (ObjectKey key : cache.keys()) {
        if (!present.containsKey(key)) {
          tellAll(new Change.Removed(key, cache.remove(key)));
        }
      }
      listed.forEach(this::putLocked);
    } finally {
      writing.unlock();
    }
  }

  void put(KubeObject object) {
    writing.lock();
    try {
      putLocked(object);
    } finally {
      writing.unlock();
    }
  }

  /**
   * @param last the object as it was when it was deleted
   */
  void remove(KubeObject last) {
    writing.lock();
    try {
      ObjectKey key = cache.key(last);
      if (cache.remove(key) != null) {
        tellAll(new Change.Removed(key, last));
      }
    } finally {
      writing.unlock();
    }
  }

  /** The server is heard again. */
  void resumed() {
    writing.lock();
    try {
      for (ChangeListener listener : listeners) {
        guarded(listener::resumed, "being resumed");
      }
    } finally {
      writing.unlock();
    }
  }

  /** Who manages which field is most of many an object, and nobody asks a cache for it. */
  KubeObject trimmed(KubeObject whole) {
    return kept.apply(whole.without("metadata", "managedFields"));
  }

  private void putLocked(KubeObject whole) {
    KubeObject object = trimmed(whole);
    ObjectKey key = cache.key(object);
    KubeObject before = cache.put(key, object);
    if (before == null) {
      tellAll(new Change.Added(key, object));
    } else if (!before.resourceVersion().equals(object.resourceVersion())
        || !before.equals(object)) {
      // The same version may look different once a server knows more of an object's schema.
      tellAll(new Change.Updated(key, before, object));
    }
  }

  private void tellAll(Change change) {
    listeners.forEach(listener -> tell(listener, change));
  }

  private static void tell(ChangeListener listener, Change change) {
    guarded(() -> listener.changed(change), change.key());
  }

  private static void guarded(Runnable call, Object what) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A listener failed on {}", what, e);
    }
  }
}
