package dev.mooring.syncagent.related.record;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.PendingWrites;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Copies that were made, until the watch has shown them; and which they are, until they are
 * recorded. A primary that goes at once must not leave a copy behind that is still on its way into
 * the cache. Thread-safe.
 */
public final class PendingCopies {
  private final PendingWrites<ObjectRef> made = new PendingWrites<>();
  private final ConcurrentHashMap<ObjectRef, Made> unrecorded = new ConcurrentHashMap<>();

  /** Uids of copies that were deleted, until that is recorded. */
  private final ConcurrentHashMap<ObjectRef, String> deleted = new ConcurrentHashMap<>();

  /**
   * @param content that the copy was made with
   */
  private record Made(String uid, Map<String, Object> content) {}

  /** Before the request; {@link #made} or {@link #notMade} has to follow. */
  public void making(ObjectRef ref) {
    made.begin(ref);
  }

  /**
   * The server's answer.
   *
   * @param content that was asked for: what the server added is not the original's
   */
  public void made(ObjectRef ref, KubeObject copy, Map<String, Object> content) {
    unrecorded.put(ref, new Made(copy.uid(), content));
    made.wrote(ref, copy);
  }

  /** The server refused, or said that nothing is there, or nobody knows. */
  public void notMade(ObjectRef ref) {
    made.forget(ref);
  }

  /** What the watch says of the object there. */
  public void changed(ObjectRef ref, Change change) {
    made.changed(ref, change);
    if (change instanceof Change.Removed(var _, var last)) {
      unrecorded.computeIfPresent(ref, (_, known) -> known.uid().equals(last.uid()) ? null : known);
    }
  }

  /**
   * As it was made, or as the cache has it, whichever is newer.
   *
   * @param cached empty if it is not in the cache
   */
  public Optional<KubeObject> newest(ObjectRef ref, Optional<KubeObject> cached) {
    return made.newest(ref, cached);
  }

  /** What the watch has not shown yet. */
  public Optional<KubeObject> find(ObjectRef ref) {
    return made.find(ref);
  }

  /** What this very copy was made with; empty if it is recorded by now, or not made here. */
  public Optional<Map<String, Object>> contentOf(ObjectRef ref, KubeObject copy) {
    return Optional.ofNullable(unrecorded.get(ref))
        .filter(known -> known.uid().equals(copy.uid()))
        .map(Made::content);
  }

  /** The server accepted that this very copy goes. */
  public void deleted(ObjectRef ref, KubeObject copy) {
    deleted.put(ref, copy.uid());
  }

  public boolean isDeleted(ObjectRef ref, String uid) {
    return uid.equals(deleted.get(ref));
  }

  /** Nothing is recorded of it any more. */
  public void dropped(ObjectRef ref) {
    deleted.remove(ref);
  }

  /** Its record says it from now on. */
  public void recorded(ObjectRef ref) {
    unrecorded.remove(ref);
  }
}
