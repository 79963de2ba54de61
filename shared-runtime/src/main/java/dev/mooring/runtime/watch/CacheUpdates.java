package dev.mooring.runtime.watch;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way into a cache: listeners receive every change of it, in the same order, while this is
 * locked.
 */
final class CacheUpdates {
  private static final Logger LOG = LoggerFactory.getLogger(CacheUpdates.class);

  private final ObjectCache cache;

  private final List<ChangeListener> listeners = new ArrayList<>();

  private final UnaryOperator<KubeObject> kept;
  private final CacheBudget room;
  private volatile boolean full;

  CacheUpdates(ObjectCache cache, UnaryOperator<KubeObject> kept, CacheBudget room) {
    this.cache = cache;
    this.kept = kept;
    this.room = room;
  }

  /** Whether there was no room for something, so that not everything is held. */
  boolean isFull() {
    return full;
  }

  ObjectCache cache() {
    return cache;
  }

  synchronized void add(ChangeListener listener) {
    for (KubeObject object : cache.all()) {
      tell(listener, new Change.Added(cache.key(object), object));
    }
    listeners.add(listener);
  }

  /**
   * A listed object as it is to be held: the very one that is held already if nothing has changed,
   * so that a new list takes little more memory than the last.
   *
   * @throws CacheFull if there is no room for it
   */
  KubeObject admitted(KubeObject listed) {
    KubeObject object = trimmed(listed);
    KubeObject held = cache.get(cache.key(object)).orElse(null);
    if (held != null && isSame(held, object)) {
      return held;
    }
    take(object);
    return object;
  }

  /** Objects that were admitted, but will not be held. */
  void dismiss(List<KubeObject> admitted) {
    admitted.stream().filter(object -> !holds(object)).forEach(room::leave);
  }

  /** Whether it is this very object that is held. */
  boolean holds(KubeObject object) {
    return cache.get(cache.key(object)).filter(held -> held == object).isPresent();
  }

  /**
   * The whole content as the server has it: an object that is not listed is gone.
   *
   * @param listed objects that were admitted
   */
  synchronized void replace(List<KubeObject> listed) {
    Map<ObjectKey, KubeObject> present = HashMap.newHashMap(listed.size());
    for (KubeObject object : listed) {
      present.put(cache.key(object), object);
    }
    for (ObjectKey key : cache.keys()) {
      if (!present.containsKey(key)) {
        removeLocked(key, null);
      }
    }
    listed.forEach(this::putLocked);
  }

  /**
   * @throws CacheFull if there is no room for it
   */
  void put(KubeObject whole) {
    KubeObject changed = trimmed(whole);
    KubeObject object = cache.get(cache.key(changed)).map(changed::sharing).orElse(changed);
    take(object);
    try {
      synchronized (this) {
        putLocked(object);
      }
    } catch (RuntimeException | Error e) {
      dismiss(List.of(object));
      throw e;
    }
  }

  /**
   * @param last the object as it was when it was deleted
   */
  synchronized void remove(KubeObject last) {
    removeLocked(cache.key(last), last);
  }

  /**
   * @param last null for the object as it is held
   */
  private void removeLocked(ObjectKey key, @Nullable KubeObject last) {
    KubeObject gone = cache.remove(key);
    if (gone != null) {
      room.leave(gone);
      tellAll(new Change.Removed(key, last == null ? gone : last));
    }
  }

  /** The server answers again. */
  synchronized void resumed() {
    for (ChangeListener listener : listeners) {
      guarded(listener::resumed, "being resumed");
    }
  }

  /** There is no room for an object. */
  static final class CacheFull extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CacheFull() {
      super("there is no room for another object", null, false, false);
    }
  }

  /** managedFields are the larger part of many objects, and no reader of a cache needs them. */
  KubeObject trimmed(KubeObject whole) {
    return kept.apply(whole.without("metadata", "managedFields"));
  }

  private void take(KubeObject object) {
    if (!room.take(object)) {
      full = true;
      throw new CacheFull();
    }
  }

  /** Servers leave the type out of the items of some lists. */
  private static boolean isSame(KubeObject held, KubeObject listed) {
    return held.resourceVersion().equals(listed.resourceVersion())
        && (held.equals(listed) || held.without("apiVersion").without("kind").equals(listed));
  }

  private void putLocked(KubeObject object) {
    ObjectKey key = cache.key(object);
    KubeObject before = cache.put(key, object);
    if (before != null && before != object) {
      room.leave(before);
    }
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
