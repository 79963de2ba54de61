package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads and sets {@code status.conditions} the way kcp keeps them. */
public final class Conditions {
  public static final String EXPORT_VALID = "APIExportValid";
  public static final String READY = "Ready";

  private static final Comparator<Map<String, Object>> ORDER =
      Comparator.<Map<String, Object>, Boolean>comparing(c -> !READY.equals(type(c)))
          .thenComparing(Conditions::type);

  private Conditions() {}

  /** How bad it is that a condition is not met. */
  public enum Severity {
    ERROR("Error"),
    WARNING("Warning"),
    INFO("Info");

    private final String text;

    Severity(String text) {
      this.text = text;
    }
  }

  /**
   * The object with the condition met: {@code Ready} first, the others by name. A condition that
   * says what it said before keeps its time, so that setting it again changes nothing.
   *
   * @param now RFC 3339, whole seconds
   */
  public static KubeObject met(KubeObject object, String type, String now) {
    return with(object, tree(type, "True", now));
  }

  /** As {@link #met}, of a condition that is not. */
  public static KubeObject unmet(
      KubeObject object,
      String type,
      Severity severity,
      String reason,
      String message,
      String now) {
    Map<String, Object> condition = tree(type, "False", now);
    condition.put("severity", severity.text);
    condition.put("reason", reason);
    condition.put("message", message);
    return with(object, condition);
  }

  private static Map<String, Object> tree(String type, String status, String now) {
    var tree = new TreeMap<String, Object>();
    tree.put("lastTransitionTime", now);
    tree.put("status", status);
    tree.put("type", type);
    return tree;
  }

  private static KubeObject with(KubeObject object, Map<String, Object> condition) {
    var conditions = new ArrayList<Map<String, Object>>();
    for (Object item : object.list("status", "conditions")) {
      Map<String, Object> present = Trees.mapOrEmpty(item);
      if (!type(present).equals(type(condition))) {
        conditions.add(present);
      } else if (withTime(present, "").equals(withTime(condition, ""))) {
        return object;
      }
    }
    conditions.add(condition);
    conditions.sort(ORDER);
    return object.with(conditions, "status", "conditions");
  }

  private static Map<String, Object> withTime(Map<String, Object> condition, String time) {
    var timed = new TreeMap<>(condition);
    timed.put("lastTransitionTime", time);
    return timed;
  }

  /** {@code Ready} says what the given condition says; unchanged if there is no such condition. */
  public static KubeObject summarized(KubeObject object, String type, String now) {
    return find(object, type)
        .map(found -> {
          Map<String, Object> ready = withTime(found, now);
          ready.put("type", READY);
          return with(object, ready);
        })
        .orElse(object);
  }

  /** With another object's condition; unchanged if that has no such condition. */
  public static KubeObject copied(KubeObject object, KubeObject from, String type) {
    return find(from, type).map(found -> with(object, found)).orElse(object);
  }

  /** Without the condition of the type. */
  public static KubeObject without(KubeObject object, String type) {
    List<Object> left =
        object.list("status", "conditions").stream()
            .filter(condition -> !type.equals(Trees.text(condition, "type")))
            .toList();
    return left.isEmpty()
        ? object.without("status", "conditions")
        : object.with(left, "status", "conditions");
  }

  private static Optional<Map<String, Object>> find(KubeObject object, String type) {
    List<Object> conditions = object.list("status", "conditions");
    return conditions.stream().map(Trees::mapOrEmpty).filter(c -> type(c).equals(type)).findFirst();
  }

  private static String type(Map<String, Object> condition) {
    return Trees.text(condition, "type");
  }
}
