package dev.mooring.cli.status;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the services last reported on a PublishedResource or a DependencyRule, or on themselves: a
 * line of {@code mooring status}. What is not known is empty.
 *
 * @param object kind and name, or a service
 * @param since when the state changed last, of a service its start, as RFC 3339 time
 * @param version of a service
 * @param condition the gravest that is not True; empty if all are
 */
public record ObjectStatus(
    String object,
    State state,
    String since,
    String version,
    String condition,
    String reason,
    String message) {
  static final List<String> COLUMNS =
      List.of("OBJECT", "STATE", "SINCE", "VERSION", "CONDITION", "REASON", "MESSAGE");

  /** Reasons of conditions that are False because the owner wants it. */
  private static final Set<String> WANTED = Set.of("Paused", "Disabled", "DisabledInAgent");

  /** Reason of a condition that is True for the type, and not for all objects of it. */
  public static final String OBJECTS_FAILING = SyncState.Problem.OBJECTS_FAILING;

  /** As users read it. */
  public enum State {
    ready,
    off,
    failing,
    unknown;

    public boolean isProblem() {
      return this == failing || this == unknown;
    }
  }

  public static ObjectStatus of(KubeObject object) {
    String name = object.kind() + "/" + object.name();
    List<Object> conditions = object.list("status", "conditions");
    if (conditions.isEmpty()) {
      return unknown(
          name,
          "NotReported",
          "no service has reported on it; does the service run, and is the object in its reach?");
    }
    long observed = observed(object, conditions);
    if (observed < object.generation()) {
      return unknown(
          name,
          "Outdated",
          "the object changed (generation "
              + object.generation()
              + "), and the last report is about generation "
              + observed
              + "; does the service run?");
    }
    return conditions.stream()
        .filter(condition -> state(condition) != State.ready)
        .max(Comparator.comparing(condition -> severity(state(condition))))
        .map(condition ->
            new ObjectStatus(
                name,
                state(condition),
                text(condition, "lastTransitionTime"),
                "",
                text(condition, "type"),
                text(condition, "reason"),
                text(condition, "message")))
        .orElseGet(() -> new ObjectStatus(name, State.ready, latest(conditions), "", "", "", ""));
  }

  static ObjectStatus unknown(String object, String reason, String message) {
    return new ObjectStatus(object, State.unknown, "", "", "", reason, message);
  }

  /** The times of Kubernetes sort as texts. */
  private static String latest(List<Object> conditions) {
    return conditions.stream()
        .map(condition -> text(condition, "lastTransitionTime"))
        .max(Comparator.naturalOrder())
        .orElse("");
  }

  /**
   * The generation of the last report. A condition of an older one was kept in it: it is about the
   * present object, too.
   */
  private static long observed(KubeObject object, List<Object> conditions) {
    return Stream.concat(
            Stream.of(object.map("status")), conditions.stream().map(Trees::mapOrEmpty))
        .map(each -> each.get("observedGeneration"))
        .filter(Long.class::isInstance)
        .map(Long.class::cast)
        .max(Comparator.naturalOrder())
        .orElse(object.generation());
  }

  /** The first of the gravest is shown: services write conditions in the order of their work. */
  private static int severity(State state) {
    return switch (state) {
      case ready -> 0;
      case off -> 1;
      case unknown -> 2;
      case failing -> 3;
    };
  }

  private static State state(Object condition) {
    return switch (text(condition, "status")) {
      // The type is synced, and some objects of it are not.
      case "True" ->
          text(condition, "reason").equals(OBJECTS_FAILING) ? State.failing : State.ready;
      case "False" -> WANTED.contains(text(condition, "reason")) ? State.off : State.failing;
      default -> State.unknown;
    };
  }

  private static String text(Object condition, String field) {
    return Trees.text(condition, field);
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
