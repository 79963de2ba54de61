package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One condition as kcp's types carry it: like Kubernetes' own, with a severity where it is false.
 *
 * @param reason empty where the condition is true
 * @param since RFC 3339, whole seconds
 */
public record Condition(
    String type, String status, Severity severity, String reason, String message, String since) {

  public enum Severity {
    NONE(""),
    ERROR("Error"),
    WARNING("Warning"),
    INFO("Info");

    private final String text;

    Severity(String text) {
      this.text = text;
    }
  }

  public static Condition met(String type, String since) {
    return new Condition(type, "True", Severity.NONE, "", "", since);
  }

  public static Condition unmet(
      String type, Severity severity, String reason, String message, String since) {
    return new Condition(type, "False", severity, reason, message, since);
  }

  Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("lastTransitionTime", since);
    Trees.putUnlessEmpty(tree, "message", message);
    Trees.putUnlessEmpty(tree, "reason", reason);
    Trees.putUnlessEmpty(tree, "severity", severity.text);
    tree.put("status", status);
    tree.put("type", type);
    return tree;
  }
}
