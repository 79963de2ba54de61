package dev.mooring.depcontroller.status.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One condition of a rule, without the time of its last transition. */
record Condition(String type, String status, String reason, String message) {
  /** API servers take no longer message. */
  private static final int MESSAGE_MAX = 32_768;

  private static final String TIME = "lastTransitionTime";

  Condition {
    message = message.length() > MESSAGE_MAX ? message.substring(0, MESSAGE_MAX) : message;
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

  boolean isMet() {
    return status.equals("True");
  }

  /** Since when the object has this condition with this status; empty if it has not. */
  Optional<String> since(KubeObject object) {
    for (Object held : object.list("status", "conditions")) {
      if (type.equals(Trees.at(held, "type"))
          && status.equals(Trees.at(held, "status"))
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
    var tree = new LinkedHashMap<String, Object>();
    tree.put("type", type);
    tree.put("status", status);
    tree.put("reason", reason);
    tree.put("message", message);
    tree.put("observedGeneration", generation);
    tree.put(TIME, since(object).orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString()));
    return tree;
  }
}
