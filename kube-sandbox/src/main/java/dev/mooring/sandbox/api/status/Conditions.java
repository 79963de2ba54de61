package dev.mooring.sandbox.api.status;

import com.google.common.collect.Iterables;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The conditions in the status of a CustomResourceDefinition. */
public final class Conditions {
  private Conditions() {}

  /** One condition without its time. */
  public record Condition(String type, String status, String reason, String message) {}

  public static Optional<Condition> find(KubeObject definition, String type) {
    return definition.list("status", "conditions").stream()
        .map(Trees::mapOrEmpty)
        .filter(condition -> type.equals(condition.get("type")))
        .findFirst()
        .map(condition ->
            new Condition(
                type,
                Trees.text(condition, "status"),
                Trees.text(condition, "reason"),
                Trees.text(condition, "message")));
  }

  /**
   * With the condition; its time changes with its status only.
   *
   * @param now as it is to be written
   */
  public static KubeObject set(KubeObject definition, Condition condition, String now) {
    if (find(definition, condition.type()).filter(condition::equals).isPresent()) {
      return definition;
    }
    var conditions = new ArrayList<Object>(definition.list("status", "conditions"));
    int place = Iterables.indexOf(conditions, it -> condition.type().equals(Trees.at(it, "type")));
    Map<String, Object> before = place < 0 ? Map.of() : Trees.mapOrEmpty(conditions.get(place));
    var tree = new LinkedHashMap<String, Object>();
    tree.put("type", condition.type());
    tree.put("status", condition.status());
    tree.put(
        "lastTransitionTime",
        condition.status().equals(before.get("status")) ? before.get("lastTransitionTime") : now);
    tree.put("reason", condition.reason());
    tree.put("message", condition.message());
    if (place >= 0) {
      conditions.set(place, tree);
    } else {
      conditions.add(tree);
    }
    return definition.with(conditions, "status", "conditions");
  }
}
