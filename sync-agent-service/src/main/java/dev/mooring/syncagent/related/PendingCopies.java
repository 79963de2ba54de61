package dev.mooring.syncagent.related;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.PendingWrites;
import dev.mooring.syncagent.related.decide.ObjectRef;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Copies that were created, until the watch has shown them, with their content until it is
 * recorded. The deletion of a primary must find a copy that is not in the cache yet. Thread-safe.
 */
public final class PendingCopies {
  private final PendingWrites<ObjectRef> created = new PendingWrites<>();
  private final ConcurrentHashMap<ObjectRef, Created> unrecorded = new ConcurrentHashMap<>();

  /** Uids of copies that were deleted, until that is recorded. */
  private final ConcurrentHashMap<ObjectRef, String> deleted = new ConcurrentHashMap<>();

  /**
   * @param content that the copy was created with
   */
  private record Created(String uid, Map<String, Object> content) {}

  /** Before the request; {@link #created} or {@link #forget} has to follow. */
  public void begin(ObjectRef ref) {
    created.begin(ref);
  }

  /** The server's answer, and the content that was asked for. */
  public void created(ObjectRef ref, KubeObject copy, Map<String, Object> content) {
    unrecorded.put(ref, new Created(copy.uid(), content));
    created.wrote(ref, copy);
  }

  /** The server refused, or has no such object, or did not answer. */
  public void forget(ObjectRef ref) {
    created.forget(ref);
  }

  /** A change that the watch has shown. */
  public void changed(ObjectRef ref, Change change) {
    created.changed(ref, change);
    if (change instanceof Change.Removed(var _, var last)) {
      unrecorded.computeIfPresent(ref, (_, known) -> known.uid().equals(last.uid()) ? null : known);
    }
  }

  /** As it was created, or as the cache has it, whichever is newer. */
  public Optional<KubeObject> newest(ObjectRef ref, Supplier<Optional<KubeObject>> cache) {
    return created.newest(ref, cache);
  }

  /** What the watch has not shown yet. */
  public Optional<KubeObject> find(ObjectRef ref) {
    return created.find(ref);
  }

  /** What this very copy was created with; empty if it is recorded by now, or not created here. */
  public Optional<Map<String, Object>> contentOf(ObjectRef ref, KubeObject copy) {
    return Optional.ofNullable(unrecorded.get(ref))
        .filter(known -> known.uid().equals(copy.uid()))
        .map(Created::content);
  }

  /** The server accepted the deletion of this very copy. */
  public void deleted(ObjectRef ref, KubeObject copy) {
    deleted.put(ref, copy.uid());
  }

  public boolean isDeleted(ObjectRef ref, String uid) {
    return uid.equals(deleted.get(ref));
  }

  /** The copy's record was deleted: what is left is not this process's any more. */
  public void recordDeleted(ObjectRef ref) {
    deleted.remove(ref);
    unrecorded.remove(ref);
  }

  /** The copy is recorded from now on. */
  public void recorded(ObjectRef ref) {
    unrecorded.remove(ref);
  }
}
