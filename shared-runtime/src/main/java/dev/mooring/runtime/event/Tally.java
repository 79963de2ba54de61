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
record Tally(
    KubeClient where,
    Instant first,
    Instant last,
    int count,
    String eventName,
    int written,
    Instant writtenAt,
    int attempts) {
  static Tally first(KubeClient where, Instant now) {
    return new Tally(where, now, now, 1, "", 0, Instant.EPOCH, 0);
  }

  Tally again(Tally now) {
    return new Tally(
        now.where, first, now.last, count + 1, eventName, written, writtenAt, attempts);
  }

  Tally writtenAs(String name, int upTo, Instant at) {
    return new Tally(where, first, last, count, name, upTo, at, 0);
  }

  Tally attempted() {
    return new Tally(where, first, last, count, eventName, written, writtenAt, attempts + 1);
  }

  /** Whether the Event says everything. */
  boolean told() {
    return count == written;
  }
}
