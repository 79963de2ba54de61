package dev.mooring.runtime.event;

import dev.mooring.runtime.client.KubeClient;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Notes that wait to be written, and those written last, to be counted on. Both are bounded; only
 * what has been written is ever forgotten. Thread-safe.
 *
 * @param <K> what is counted together
 */
final class EventCounts<K> {
  private final int waitingMax;
  private final Map<K, Count> waiting = new HashMap<>();
  private final Map<K, Count> written;

  /**
   * How often a note was recorded, and how much of that its Event says.
   *
   * @param eventName empty until there is an Event
   * @param written the count that the Event has; 0 until there is one
   * @param attempts in a row that could not reach the server
   */
  record Count(
      KubeClient where,
      Instant first,
      Instant last,
      int count,
      String eventName,
      int written,
      Instant writtenAt,
      int attempts) {
    static Count first(KubeClient where, Instant now) {
      return new Count(where, now, now, 1, "", 0, Instant.EPOCH, 0);
    }

    Count again(Count now) {
      return new Count(
          now.where, first, now.last, count + 1, eventName, written, writtenAt, attempts);
    }

    Count writtenAs(String name, int upTo, Instant at) {
      return new Count(where, first, last, count, name, upTo, at, 0);
    }

    Count attempted() {
      return new Count(where, first, last, count, eventName, written, writtenAt, attempts + 1);
    }

    /** Whether the Event says everything. */
    boolean isWritten() {
      return count == written;
    }
  }

  EventCounts(int waitingMax, int writtenMax) {
    this.waitingMax = waitingMax;
    this.written =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Count> eldest) {
            return size() > writtenMax;
          }
        };
  }

  /** False if too many wait already; then nothing has changed. */
  synchronized boolean record(K key, Count note) {
    Count before = waiting.get(key);
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

  /** Empty if there is nothing to write. */
  synchronized Optional<Count> waiting(K key) {
    return Optional.ofNullable(waiting.get(key));
  }

  /** What was recorded meanwhile goes on waiting. */
  synchronized void written(K key, String eventName, int upTo, Instant at) {
    Count count = waiting.get(key);
    if (count == null) {
      return;
    }
    Count now = count.writtenAs(eventName, upTo, at);
    if (now.isWritten()) {
      waiting.remove(key);
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
  }

  /** Drops what has not become an Event. */
  synchronized void dropUnwritten(K key) {
    if (waiting(key).filter(count -> count.written() == 0).isPresent()) {
      drop(key);
    }
  }
}
