package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.PendingWrites;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Own writes of sources, copies and Namespaces until the watch has shown them: a source must not be
 * released while its newest copy is on the way into the cache. Bounded by the workers: an entry
 * goes with the next event of its key. Thread-safe.
 */
final class PrimaryWrites {
  private final PendingWrites<ObjectKey> sources = new PendingWrites<>();

  /** By source, as all that follows. */
  private final PendingWrites<ObjectKey> copies = new PendingWrites<>();

  /** Whose written copy was met once in a pass that had nothing to do. */
  private final Set<ObjectKey> waited = new HashSet<>();

  /** Of which a write's outcome is not known (yet): there may be a copy. */
  private final Set<ObjectKey> unsure = new HashSet<>();

  /** Uids of the copies whose deletion this process asked for. */
  private final Map<ObjectKey, String> deleted = new HashMap<>();

  /** Whose copy was seen to end, and no other was made since. */
  private final Set<ObjectKey> ended = new HashSet<>();

  private final Set<String> namespaces = new HashSet<>();

  /** The source as we wrote it or as the watch has shown it, whichever is newer. */
  synchronized KubeObject newestSource(ObjectKey key, KubeObject shown) {
    // Another one by the same name is newer: versions of two objects do not compare.
    if (sources.find(key).filter(own -> !own.uid().equals(shown.uid())).isPresent()) {
      sources.forget(key);
    }
    return sources.newest(key, () -> Optional.of(shown)).orElse(shown);
  }

  synchronized void wroteSource(ObjectKey key, KubeObject source) {
    sources.wrote(key, source);
  }

  /** The copy as we wrote it or as the watch has shown it, whichever is newer. */
  Optional<KubeObject> newestCopy(ObjectKey source, Supplier<Optional<KubeObject>> cache) {
    return copies.newest(source, cache);
  }

  /** A copy may or may not be there by the time this process knows how its request ended. */
  synchronized void createsCopy(ObjectKey source) {
    copies.begin(source);
    ended.remove(source);
    unsure.add(source);
  }

  synchronized void wroteCopy(ObjectKey source, KubeObject copy) {
    copies.wrote(source, copy);
    waited.remove(source);
    unsure.remove(source);
    deleted.remove(source);
    ended.remove(source);
  }

  /** This very copy is to be deleted. */
  synchronized void deletesCopy(ObjectKey source, String uid) {
    deleted.put(source, uid);
  }

  /** The server has no copy of a source that is ending. */
  synchronized void foundNoCopy(ObjectKey source) {
    unsure.remove(source);
  }

  /** The watch has shown this of the source's copy. */
  synchronized void copyChanged(ObjectKey source, Change change) {
    copies.changed(source, change);
    // Only of a source that is going a copy is deleted by us, and no other one is made then;
    // a copy that another client removed may have been followed by one still to be shown.
    if (change instanceof Change.Removed(var _, var last)
        && last.uid().equals(deleted.get(source))
        && !mayHaveUnshownCopy(source)) {
      ended.add(source);
    }
  }

  /** Whether the watch has not shown the copy as it was written. */
  synchronized boolean hasUnshownCopy(ObjectKey source) {
    return copies.find(source).isPresent();
  }

  /** As {@link #hasUnshownCopy}; also where the write's outcome is not known. */
  synchronized boolean mayHaveUnshownCopy(ObjectKey source) {
    return hasUnshownCopy(source) || unsure.contains(source);
  }

  /**
   * Whether a write of this source's copy is still waited for. A copy that came and went while
   * nothing was watched is never shown: an entry that is asked for a second time is given up.
   */
  synchronized boolean awaitsCopy(ObjectKey source) {
    if (!hasUnshownCopy(source)) {
      waited.remove(source);
      return false;
    }
    if (!waited.add(source)) {
      forget(source);
    }
    return true;
  }

  /** Whether this process has seen the end of the only copy that it knew, and made no other. */
  synchronized boolean knowsEnd(ObjectKey source) {
    return ended.contains(source) && !hasUnshownCopy(source);
  }

  /** The server said that it is gone, or the watch is to be believed. */
  synchronized void forget(ObjectKey source) {
    // The watch has not shown the copy yet: an end that it shows next may be an earlier one's.
    if (hasUnshownCopy(source)) {
      ended.remove(source);
      unsure.add(source);
    }
    sources.forget(source);
    copies.forget(source);
    waited.remove(source);
  }

  /** The source is gone, and with it all that is known here. */
  synchronized void gone(ObjectKey source) {
    forget(source);
    unsure.remove(source);
    deleted.remove(source);
    ended.remove(source);
  }

  synchronized void createdNamespace(String name) {
    namespaces.add(name);
  }

  synchronized boolean hasNamespace(String name) {
    return namespaces.contains(name);
  }

  /** The watch has shown something of it, or the server said that it is gone, or going. */
  synchronized void forgetNamespace(String name) {
    namespaces.remove(name);
  }
}
