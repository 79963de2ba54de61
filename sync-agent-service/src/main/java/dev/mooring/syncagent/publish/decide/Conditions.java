package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A list of {@code metav1.Condition}; a transition time changes only with the status. */
final class Conditions {
  /** Longer messages would crowd out everything else in a listing. */
  private static final int MESSAGE_MAX = 1024;

  private final List<Object> before;
  private final long generation;
  private final Instant now;
  private final List<Object> after = new ArrayList<>();
  private final Set<String> removed = new HashSet<>();

  /**
   * @param before conditions as they are stored; those of other types are kept
   * @param generation of the reconciled object
   */
  Conditions(List<Object> before, long generation, Instant now) {
    this.before = before;
    this.generation = generation;
    this.now = now;
  }

  void met(String type, String reason, String message) {
    set(type, "True", reason, message);
  }

  void unmet(String type, String reason, String message) {
    set(type, "False", reason, message);
  }

  /**
   * Unmet if there is a problem, else met.
   *
   * @param unmet reason if there is a problem, which is the message
   */
  void metUnless(
      Optional<String> problem, String type, String unmet, String reason, String message) {
    if (problem.isPresent()) {
      unmet(type, unmet, problem.get());
    } else {
      met(type, reason, message);
    }
  }

  void unknown(String type, String reason, String message) {
    set(type, "Unknown", reason, message);
  }

  private void set(String type, String status, String reason, String message) {
    after.add(
        Trees.ordered(
            "type", type,
            "status", status,
            "reason", reason,
            "message", message.substring(0, Math.min(message.length(), MESSAGE_MAX)),
            "observedGeneration", generation,
            "lastTransitionTime", transitionTime(type, status)));
  }

  /** Removes a stored condition. */
  void remove(String type) {
    removed.add(type);
  }

  /** Sets a stored condition to Unknown. */
  void doubt(String type, String reason, String message) {
    if (!stored(type).isEmpty()) {
      unknown(type, reason, message);
    }
  }

  /** In the order in which they are stored, then the new ones: order alone is no change. */
  List<Object> list() {
    var all = new LinkedHashMap<Object, Object>();
    Stream.concat(before.stream(), after.stream())
        .forEach(condition -> all.put(Trees.at(condition, "type"), condition));
    all.keySet().removeAll(removed);
    return List.copyOf(all.values());
  }

  /** Whether it is stored as False, for whichever generation. */
  boolean wasFalse(String type) {
    return "False".equals(stored(type).get("status"));
  }

  /** Whether it was true, as stored, for the reconciled generation. */
  boolean wasTrue(String type) {
    return "True".equals(stored(type).get("status"))
        && Long.valueOf(generation).equals(stored(type).get("observedGeneration"));
  }

  private String transitionTime(String type, String status) {
    return status.equals(stored(type).get("status"))
            && stored(type).get("lastTransitionTime") instanceof String time
        ? time
        : now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private Map<String, Object> stored(String type) {
    return before.stream()
        .map(Trees::mapOrEmpty)
        .filter(condition -> type.equals(condition.get("type")))
        .findFirst()
        .orElse(Map.of());
  }
}
