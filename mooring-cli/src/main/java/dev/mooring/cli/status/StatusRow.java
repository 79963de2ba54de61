package dev.mooring.cli.status;

import dev.mooring.cli.status.ObjectStatus.State;
import dev.mooring.model.object.Trees;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;

/**
 * A line of {@code mooring status}; what is not known is empty.
 *
 * @param object a service, or kind and name
 * @param since of a service its start, of an object the last change of its state, as RFC 3339 time
 * @param version of a service
 */
record StatusRow(
    String object,
    State state,
    String since,
    String version,
    String condition,
    String reason,
    String message) {
  static final List<String> COLUMNS =
      List.of("OBJECT", "STATE", "SINCE", "VERSION", "CONDITION", "REASON", "MESSAGE");

  static StatusRow of(ObjectStatus status) {
    return new StatusRow(
        status.object(),
        status.state(),
        status.since(),
        "",
        status.condition(),
        status.reason(),
        status.message());
  }

  List<String> cells(Instant now) {
    return List.of(object, state.name(), age(now), version, condition, reason, message);
  }

  Map<String, Object> tree() {
    return Trees.ordered(
        "object", object,
        "state", state.name(),
        "since", since,
        "version", version,
        "condition", condition,
        "reason", reason,
        "message", message);
  }

  /** In one unit, as kubectl prints ages. */
  private String age(Instant now) {
    Duration age;
    try {
      age = Duration.between(Instant.parse(since), now);
    } catch (DateTimeParseException e) {
      return "";
    }
    if (age.toDays() > 0) {
      return age.toDays() + "d";
    }
    if (age.toHours() > 0) {
      return age.toHours() + "h";
    }
    return age.toMinutes() > 0 ? age.toMinutes() + "m" : Math.max(0, age.toSeconds()) + "s";
  }
}
