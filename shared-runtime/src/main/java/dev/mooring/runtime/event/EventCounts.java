package dev.mooring.runtime.event;

import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Notes that wait to be written, and those written last, to be counted on. Both are bounded; only
 * what has been written is ever forgotten. Thread-safe.
 *
 * @param <K> what is counted together
 */
final class EventCounts<K> {
  private final int waitingMax;
  private final Map<K, EventCount> waiting = new HashMap<>();
  private final Map<K, EventCount> written;

  /** Since {@link #whenNoneWaits}; before that, of no meaning. */
  private CompletableFuture<Void> noneWaits = new CompletableFuture<>();

  EventCounts(int waitingMax, int writtenMax) {
    this.waitingMax = waitingMax;
    this.written =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, EventCount> eldest) {
            return size() > writtenMax;
          }
        };
  }

  /** False if too many wait already; then nothing has changed. */
  synchronized boolean record(K key, EventCount note) {
    EventCount before = waiting.get(key);
    if (before == null) {
      if (waiting.size() >= waitingMax) {
        return false;
      }
      before = written.remove(key);
    }
    waiting.put(key, before == null ? note : before.again(note));
    return true;
  }

  synchronized int waitingCount() {
    return waiting.size();
  }

  synchronized List<K> waiting() {
    return List.copyOf(waiting.keySet());
  }

  /** Completes when nothing waits. */
  synchronized CompletableFuture<Void> whenNoneWaits() {
    noneWaits = new CompletableFuture<>();
    removed();
    return noneWaits;
  }

  private void removed() {
    if (waiting.isEmpty()) {
      noneWaits.complete(null);
    }
  }

  /** Empty if there is nothing to write. */
  synchronized Optional<EventCount> waiting(K key) {
    return Optional.ofNullable(waiting.get(key));
  }

  /** What was recorded meanwhile goes on waiting. */
  synchronized void written(K key, String eventName, int upTo, Instant at) {
    EventCount count = waiting.get(key);
    if (count == null) {
      return;
    }
    EventCount now = count.writtenAs(eventName, upTo, at);
    if (now.isWritten()) {
      waiting.remove(key);
      removed();
      written.put(key, now);
    } else {
      waiting.put(key, now);
    }
  }

  synchronized void attempted(K key) {
    waiting.computeIfPresent(key, (_, count) -> count.attempted());
  }

  synchronized void drop(K key) {
    waiting.remove(key);
    removed();
  }
}
