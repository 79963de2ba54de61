package dev.mooring.syncagent.related;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.PendingWrites;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Copies that were made, until the watch has shown them; and which they are, until they are
 * recorded. A primary that goes at once must not leave a copy behind that is still on its way into
 * the cache. Thread-safe.
 */
final class OwnCopies {
  private final PendingWrites<Spot> made = new PendingWrites<>();
  private final ConcurrentHashMap<Spot, Made> unrecorded = new ConcurrentHashMap<>();

  /** Uids of copies that were deleted, until that is recorded. */
  private final ConcurrentHashMap<Spot, String> deleted = new ConcurrentHashMap<>();

  /**
   * @param content that the copy was made with
   */
  private record Made(String uid, Map<String, Object> content) {}

  /** Before the request; {@link #made} or {@link #notMade} has to follow. */
  void making(Spot spot) {
    made.begin(spot);
  }

  /**
   * The server's answer.
   *
   * @param content that was asked for: what the server added is not the original's
   */
  void made(Spot spot, KubeObject copy, Map<String, Object> content) {
    unrecorded.put(spot, new Made(copy.uid(), content));
    made.wrote(spot, copy);
  }

  /** The server refused, or said that nothing is there, or nobody knows. */
  void notMade(Spot spot) {
    made.forget(spot);
  }

  /** What the watch says of the object there. */
  void changed(Spot spot, Change change) {
    made.changed(spot, change);
    if (change instanceof Change.Removed(var _, var last)) {
      unrecorded.computeIfPresent(
          spot, (_, known) -> known.uid().equals(last.uid()) ? null : known);
    }
  }

  /**
   * As it was made, or as the cache has it, whichever is newer.
   *
   * @param cached empty if it is not in the cache
   */
  Optional<KubeObject> newest(Spot spot, Optional<KubeObject> cached) {
    return made.newest(spot, cached);
  }

  /** What the watch has not shown yet. */
  Optional<KubeObject> find(Spot spot) {
    return made.find(spot);
  }

  /** What this very copy was made with; empty if it is recorded by now, or not made here. */
  Optional<Map<String, Object>> contentOf(Spot spot, KubeObject copy) {
    return Optional.ofNullable(unrecorded.get(spot))
        .filter(known -> known.uid().equals(copy.uid()))
        .map(Made::content);
  }

  /** The server accepted that this very copy goes. */
  void deleted(Spot spot, KubeObject copy) {
    deleted.put(spot, copy.uid());
  }

  boolean isDeleted(Spot spot, String uid) {
    return uid.equals(deleted.get(spot));
  }

  /** Nothing is recorded of it any more. */
  void dropped(Spot spot) {
    deleted.remove(spot);
  }

  /** Its record says it from now on. */
  void recorded(Spot spot) {
    unrecorded.remove(spot);
  }
}
