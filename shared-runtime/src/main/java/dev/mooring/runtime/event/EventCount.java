package dev.mooring.runtime.event;

import dev.mooring.runtime.client.KubeClient;
import java.time.Instant;

/**
 * How often a note was recorded, and how much of that its Event says.
 *
 * @param eventName empty until there is an Event
 * @param written the count that the Event has; 0 until there is one
 * @param attempts in a row that could not reach the server
 */
record EventCount(
    KubeClient where,
    Instant first,
    Instant last,
    int count,
    String eventName,
    int written,
    Instant writtenAt,
    int attempts) {
  static EventCount first(KubeClient where, Instant now) {
    return new EventCount(where, now, now, 1, "", 0, Instant.EPOCH, 0);
  }

  EventCount again(EventCount now) {
    return new EventCount(
        now.where, first, now.last, count + 1, eventName, written, writtenAt, attempts);
  }

  EventCount writtenAs(String name, int upTo, Instant at) {
    return new EventCount(where, first, last, count, name, upTo, at, 0);
  }

  EventCount attempted() {
    return new EventCount(where, first, last, count, eventName, written, writtenAt, attempts + 1);
  }

  /** Whether the Event says everything. */
  boolean isWritten() {
    return count == written;
  }
}
