package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.Versions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sources, copies and Namespaces as the server answered our writes, until the watch has shown them:
 * a source must not be released while its newest copy is still on the way into the cache, and no
 * write should be made on what is known to be old: it could only be refused. Bounded by the
 * workers: a key is worked on by one at a time, and its entry goes with the next event.
 * Thread-safe.
 */
final class OwnWrites {
  private final ConcurrentHashMap<ObjectKey, KubeObject> copies = new ConcurrentHashMap<>();

  private final ConcurrentHashMap<ObjectKey, KubeObject> sources = new ConcurrentHashMap<>();

  /** Sources whose entry was met once in a pass that had nothing to do. */
  private final Set<ObjectKey> doubted = ConcurrentHashMap.newKeySet();

  /** Sources whose copy was seen to end, and that were not given another one since. */
  private final Set<ObjectKey> ended = ConcurrentHashMap.newKeySet();

  /** Sources with a write of a copy whose outcome this process does not know (yet). */
  private final Set<ObjectKey> unsure = ConcurrentHashMap.newKeySet();

  /** The uid of the copy whose deletion this process asked for, by source. */
  private final ConcurrentHashMap<ObjectKey, String> deleted = new ConcurrentHashMap<>();

  private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

  void wrote(ObjectKey source, KubeObject copy) {
    ended.remove(source);
    deleted.remove(source);
    unsure.remove(source);
    doubted.remove(source);
    copies.put(source, copy);
  }

  /** The copy as we wrote it, if that is newer than what the watch has shown. */
  Optional<KubeObject> newerThan(ObjectKey source, Optional<KubeObject> shown) {
    KubeObject own = copies.get(source);
    if (own == null || shown.isEmpty()) {
      return Optional.ofNullable(own);
    }
    if (Versions.isOlder(shown.get(), own)) {
      return Optional.of(own);
    }
    copyShown(source);
    return Optional.empty();
  }

  void wroteSource(ObjectKey key, KubeObject source) {
    sources.put(key, source);
  }

  /** The source as we wrote it or as the watch has shown it, whichever is newer. */
  KubeObject newest(ObjectKey key, KubeObject shown) {
    KubeObject own = sources.get(key);
    if (own == null) {
      return shown;
    }
    if (own.uid().equals(shown.uid()) && Versions.isOlder(shown, own)) {
      return own;
    }
    sources.remove(key);
    return shown;
  }

  /** The watch has shown this object, or its end, as the source's copy. */
  void shown(ObjectKey source, KubeObject seen) {
    copies.computeIfPresent(source, (_, own) -> Versions.isOlder(seen, own) ? own : null);
  }

  /** The server said that it is gone, or the watch is to be believed. */
  void forget(ObjectKey source) {
    sources.remove(source);
    if (copies.containsKey(source)) {
      // The watch has not shown it yet: an end that it shows next may be an earlier one's.
      unsure.add(source);
    }
    copyShown(source);
  }

  private void copyShown(ObjectKey source) {
    copies.remove(source);
    doubted.remove(source);
  }

  /**
   * Whether a write of this source's copy is still waited for. A copy that was made and removed by
   * somebody before our answer came is never shown again: an entry that is asked for a second time,
   * after a while, is given up.
   */
  boolean awaits(ObjectKey source) {
    if (!copies.containsKey(source)) {
      return false;
    }
    if (!doubted.add(source)) {
      forget(source);
    }
    return true;
  }

  /** This very copy is to be deleted. */
  void deletes(ObjectKey source, String uid) {
    deleted.put(source, uid);
  }

  /** A copy may or may not be there by the time this process knows how its request ended. */
  void writes(ObjectKey source) {
    ended.remove(source);
    unsure.add(source);
  }

  /** The watch has shown that the copy, as it was last, is no more. */
  void ended(ObjectKey source, KubeObject last) {
    shown(source, last);
    // Only of a source that is going a copy is deleted by us, and no other one is made then; a
    // copy that somebody else removed may have been followed by one that is still to be shown.
    if (last.uid().equals(deleted.get(source))
        && !copies.containsKey(source)
        && !unsure.contains(source)) {
      ended.add(source);
    }
  }

  /**
   * Whether it is certain that the source has no copy that the watch just has not shown yet: this
   * process has seen the end of the only one it knew, and made no other.
   */
  boolean knowsEnd(ObjectKey source) {
    return ended.contains(source) && !copies.containsKey(source);
  }

  /** The source is gone, and with it whatever is known here. */
  void gone(ObjectKey source) {
    forget(source);
    ended.remove(source);
    deleted.remove(source);
    unsure.remove(source);
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
}
