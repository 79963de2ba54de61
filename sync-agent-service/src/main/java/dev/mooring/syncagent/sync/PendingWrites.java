package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.PendingWrite;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Sources, copies and Namespaces as the server answered our writes, until the watch has shown them:
 * a source must not be released while its newest copy is still on the way into the cache, and no
 * write should be made on what is known to be old: it could only be refused. Bounded by the
 * workers: a key is worked on by one at a time, and its entry goes with the next event.
 * Thread-safe.
 */
final class PendingWrites {
  private final ConcurrentHashMap<ObjectKey, Known> known = new ConcurrentHashMap<>();
  private final Set<String> namespaces = ConcurrentHashMap.newKeySet();

  /** What is known about the copy of a source in addition to the cache. */
  private enum CopyKnowledge {
    /** Nothing. */
    OPEN,
    /** The outcome of a write is not known (yet): there may be one. */
    UNSURE,
    /** It was seen to end, and no other was made since. */
    ENDED
  }

  /** How long a written copy has been waited for. */
  private enum Wait {
    JUST_WRITTEN,
    /** It was met once in a pass that had nothing to do. */
    STALE
  }

  /**
   * About one source.
   *
   * @param deleted the uid of the copy whose deletion this process asked for; empty for none
   */
  private record Known(
      PendingWrite source,
      PendingWrite copy,
      Wait waited,
      CopyKnowledge knowledge,
      String deleted) {
    private static final Known NOTHING =
        new Known(
            PendingWrite.Settled.NONE,
            PendingWrite.Settled.NONE,
            Wait.JUST_WRITTEN,
            CopyKnowledge.OPEN,
            "");

    Known source(PendingWrite value) {
      return new Known(value, copy, waited, knowledge, deleted);
    }

    Known copy(PendingWrite value) {
      return new Known(
          source, value, value.object().isEmpty() ? Wait.JUST_WRITTEN : waited, knowledge, deleted);
    }

    Known waited(Wait value) {
      return new Known(source, copy, value, knowledge, deleted);
    }

    Known knowledge(CopyKnowledge value) {
      return new Known(source, copy, waited, value, deleted);
    }

    Known deleted(String uid) {
      return new Known(source, copy, waited, knowledge, uid);
    }

    boolean awaitsCopy() {
      return copy.object().isPresent();
    }

    /** The watch has not shown the copy yet: an end that it shows next may be an earlier one's. */
    Known forgotten() {
      return source(PendingWrite.Settled.NONE)
          .knowledge(awaitsCopy() ? CopyKnowledge.UNSURE : knowledge)
          .copy(PendingWrite.Settled.NONE);
    }
  }

  private Known of(ObjectKey source) {
    return known.getOrDefault(source, Known.NOTHING);
  }

  private void change(ObjectKey source, UnaryOperator<Known> change) {
    known.compute(
        source,
        (_, before) -> {
          Known after = change.apply(before == null ? Known.NOTHING : before);
          return after.equals(Known.NOTHING) ? null : after;
        });
  }

  void wrote(ObjectKey source, KubeObject copy) {
    change(
        source,
        before ->
            before
                .copy(before.copy().answered(copy))
                .waited(Wait.JUST_WRITTEN)
                .knowledge(CopyKnowledge.OPEN)
                .deleted(""));
  }

  /** The copy as we wrote it, if that is newer than what the watch has shown. */
  Optional<KubeObject> newerThan(ObjectKey source, Optional<KubeObject> shown) {
    shown.ifPresent(seen -> shown(source, seen));
    return of(source).copy().object();
  }

  void wroteSource(ObjectKey key, KubeObject source) {
    change(key, before -> before.source(before.source().answered(source)));
  }

  /** The source as we wrote it or as the watch has shown it, whichever is newer. */
  KubeObject newest(ObjectKey key, KubeObject shown) {
    Optional<KubeObject> own = of(key).source().object();
    if (own.isEmpty()) {
      return shown;
    }
    // Another one by the same name is newer: versions of two objects do not compare.
    change(
        key,
        before ->
            before.source(
                own.get().uid().equals(shown.uid())
                    ? before.source().shown(shown)
                    : PendingWrite.Settled.NONE));
    return of(key).source().object().orElse(shown);
  }

  /** The watch has shown this object as the source's copy. */
  void shown(ObjectKey source, KubeObject seen) {
    change(source, before -> before.copy(before.copy().shown(seen)));
  }

  /** The server said that it is gone, or the watch is to be believed. */
  void forget(ObjectKey source) {
    change(source, Known::forgotten);
  }

  /** Whether the watch has not shown the copy as it was written. */
  boolean hasUnshownCopy(ObjectKey source) {
    return of(source).awaitsCopy();
  }

  /**
   * Whether a write of this source's copy is still waited for. A copy that was created and removed
   * while nothing was watched is never shown: an entry that is asked for a second time, after a
   * while, is given up.
   */
  boolean awaits(ObjectKey source) {
    if (!of(source).awaitsCopy()) {
      return false;
    }
    change(
        source,
        before ->
            switch (before.waited()) {
              case JUST_WRITTEN -> before.waited(Wait.STALE);
              case STALE -> before.forgotten();
            });
    return true;
  }

  /** This very copy is to be deleted. */
  void deletes(ObjectKey source, String uid) {
    change(source, before -> before.deleted(uid));
  }

  /** A copy may or may not be there by the time this process knows how its request ended. */
  void writes(ObjectKey source) {
    change(source, before -> before.copy(before.copy().begun()).knowledge(CopyKnowledge.UNSURE));
  }

  /** The watch has shown that the copy, as it was last, is no more. */
  void ended(ObjectKey source, KubeObject last) {
    change(
        source,
        before -> {
          Known after = before.copy(before.copy().ended(last));
          // Only of a source that is going a copy is deleted by us, and no other one is made then;
          // a copy that another client removed may have been followed by one still to be shown.
          return last.uid().equals(after.deleted())
                  && !after.awaitsCopy()
                  && after.knowledge() != CopyKnowledge.UNSURE
              ? after.knowledge(CopyKnowledge.ENDED)
              : after;
        });
  }

  /**
   * Whether it is certain that the source has no copy that the watch just has not shown yet: this
   * process has seen the end of the only one it knew, and made no other.
   */
  boolean knowsEnd(ObjectKey source) {
    Known present = of(source);
    return present.knowledge() == CopyKnowledge.ENDED && !present.awaitsCopy();
  }

  /** The source is gone, and with it all that is known here. */
  void gone(ObjectKey source) {
    known.remove(source);
  }

  void createdNamespace(String name) {
    namespaces.add(name);
  }

  boolean hasNamespace(String name) {
    return namespaces.contains(name);
  }

  /**
   * The watch is to be believed about this Namespace: it has shown something of it, or the server
   * said that it is gone, or going.
   */
  void forgetNamespace(String name) {
    namespaces.remove(name);
  }
}
