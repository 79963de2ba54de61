package dev.mooring.syncagent.related;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Copies that were made, until the watch has shown them; and which they are, until they are
 * recorded. A primary that goes at once must not leave a copy behind that is still on its way into
 * the cache. Thread-safe.
 */
final class OwnCopies {
  private final ConcurrentHashMap<Spot, Made> made = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Spot, String> uids = new ConcurrentHashMap<>();

  private sealed interface Made {
    /** The request is under way. */
    record Pending() implements Made {}

    record Stored(KubeObject copy) implements Made {}
  }

  /** Before the request. */
  void making(Spot spot) {
    made.put(spot, new Made.Pending());
  }

  /** The server's answer; of no use any more if the watch has been faster. */
  void made(Spot spot, KubeObject copy) {
    uids.put(spot, copy.uid());
    made.replace(spot, new Made.Pending(), new Made.Stored(copy));
  }

  /** The watch has shown something there, or the server said that nothing is. */
  void shown(Spot spot) {
    made.remove(spot);
  }

  /** What the watch has not shown yet. */
  Optional<KubeObject> find(Spot spot) {
    return made.get(spot) instanceof Made.Stored(var copy) ? Optional.of(copy) : Optional.empty();
  }

  boolean isMadeHere(Spot spot, KubeObject copy) {
    return copy.uid().equals(uids.get(spot));
  }

  /** Its record says it from now on. */
  void recorded(Spot spot) {
    uids.remove(spot);
  }
}
