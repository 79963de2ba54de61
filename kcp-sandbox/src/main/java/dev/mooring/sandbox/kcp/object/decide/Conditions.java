package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and sets {@code status.conditions} the way kcp keeps them. */
public final class Conditions {
  public static final String EXPORT_VALID = "APIExportValid";
  public static final String READY = "Ready";

  private static final Comparator<Map<String, Object>> ORDER =
      Comparator.<Map<String, Object>, Boolean>comparing(c -> !READY.equals(type(c)))
          .thenComparing(Conditions::type);

  private Conditions() {}

  /**
   * The object with the condition: {@code Ready} first, the others by name. A condition that says
   * what it said before keeps its time, so that setting it again changes nothing.
   */
  public static KubeObject with(KubeObject object, Condition condition) {
    var conditions = new ArrayList<Map<String, Object>>();
    for (Object item : object.list("status", "conditions")) {
      Map<String, Object> present = Trees.mapOrEmpty(item);
      if (type(present).equals(condition.type())) {
        if (condition.sameAs(present)) {
          return object;
        }
      } else {
        conditions.add(present);
      }
    }
    conditions.add(condition.tree());
    conditions.sort(ORDER);
    return object.with(conditions, "status", "conditions");
  }

  /** {@code Ready} says what the given condition says; unchanged if there is no such condition. */
  public static KubeObject summarized(KubeObject object, String type, String now) {
    return find(object, type)
        .map(found -> with(object, parse(found, now).named(READY)))
        .orElse(object);
  }

  public static boolean isTrue(KubeObject object, String type) {
    return statusOf(object, type).equals("True");
  }

  public static boolean isFalse(KubeObject object, String type) {
    return statusOf(object, type).equals("False");
  }

  private static String statusOf(KubeObject object, String type) {
    return find(object, type).map(c -> Trees.textOrEmpty(c.get("status"))).orElse("");
  }

  private static Optional<Map<String, Object>> find(KubeObject object, String type) {
    List<Object> conditions = object.list("status", "conditions");
    return conditions.stream().map(Trees::mapOrEmpty).filter(c -> type(c).equals(type)).findFirst();
  }

  private static Condition parse(Map<String, Object> tree, String now) {
    String type = type(tree);
    if ("True".equals(tree.get("status"))) {
      return Condition.met(type, now);
    }
    return Condition.unmet(
        type,
        severity(Trees.textOrEmpty(tree.get("severity"))),
        Trees.textOrEmpty(tree.get("reason")),
        Trees.textOrEmpty(tree.get("message")),
        now);
  }

  private static Condition.Severity severity(String text) {
    return switch (text) {
      case "Error" -> Condition.Severity.ERROR;
      case "Warning" -> Condition.Severity.WARNING;
      case "Info" -> Condition.Severity.INFO;
      default -> Condition.Severity.NONE;
    };
  }

  private static String type(Map<String, Object> condition) {
    return Trees.textOrEmpty(condition.get("type"));
  }
}
