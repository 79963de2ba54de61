package dev.mooring.depcontroller.status.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/**
 * One condition of a rule, without the time of its last transition.
 *
 * @param lasting whether an edit of the rule resets its transition time
 */
record Condition(String type, String status, String reason, String message, Lasting lasting) {
  /** What a condition that stays is the same condition through. */
  enum Lasting {
    ACROSS_EDITS,
    UNTIL_AN_EDIT
  }

  /** API servers take no longer message. */
  private static final int MESSAGE_MAX = 32_768;

  private static final String TIME = "lastTransitionTime";
  private static final String OBSERVED = "observedGeneration";

  Condition {
    message = message.length() > MESSAGE_MAX ? message.substring(0, MESSAGE_MAX) : message;
  }

  private Condition(String type, String status, String reason, String message) {
    this(type, status, reason, message, Lasting.ACROSS_EDITS);
  }

  static Condition met(String type, String reason, String message) {
    return new Condition(type, "True", reason, message);
  }

  static Condition unmet(String type, String reason, String message) {
    return new Condition(type, "False", reason, message);
  }

  static Condition unknown(String type, String reason, String message) {
    return new Condition(type, "Unknown", reason, message);
  }

  /** This condition, but it says nothing about the rule as it was before an edit. */
  Condition untilAnEdit() {
    return new Condition(type, status, reason, message, Lasting.UNTIL_AN_EDIT);
  }

  boolean isMet() {
    return status.equals("True");
  }

  /**
   * Since when the object has this condition with this status; empty if it has not.
   *
   * @param generation of the rule that the condition is about
   */
  Optional<String> since(KubeObject object, long generation) {
    for (Object held : object.list("status", "conditions")) {
      if (type.equals(Trees.at(held, "type"))
          && status.equals(Trees.at(held, "status"))
          && (lasting == Lasting.ACROSS_EDITS
              || Long.valueOf(generation).equals(Trees.at(held, OBSERVED)))
          && Trees.at(held, TIME) instanceof String since) {
        return Optional.of(since);
      }
    }
    return Optional.empty();
  }

  /**
   * As it stands in a status.
   *
   * @param object as it is: a condition that stays keeps the time of its last transition
   */
  Map<String, Object> tree(long generation, KubeObject object, Instant now) {
    String since =
        since(object, generation).orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    return Trees.ordered(
        "type",
        type,
        "status",
        status,
        "reason",
        reason,
        "message",
        message,
        OBSERVED,
        generation,
        TIME,
        since);
  }
}
