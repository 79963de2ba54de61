package dev.mooring.sandbox.schema.model;

import dev.mooring.model.object.Trees;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of {@code x-kubernetes-validations} as written. Absent texts are empty.
 *
 * @param optionalOldSelf whether {@code oldSelf} is a CEL optional and the rule is always
 *     evaluated; otherwise rules that use it are not evaluated where there is no old value, as on
 *     creation
 */
public record RuleSource(
    String rule,
    String message,
    String messageExpression,
    String reason,
    String fieldPath,
    @Nullable Boolean optionalOldSelf) {

  static RuleSource of(Map<String, Object> rule) {
    return new RuleSource(
        Trees.text(rule, "rule"),
        Trees.text(rule, "message"),
        Trees.text(rule, "messageExpression"),
        Trees.text(rule, "reason"),
        Trees.text(rule, "fieldPath"),
        rule.get("optionalOldSelf") instanceof Boolean optional ? optional : null);
  }

  /** How errors cite the rule. */
  public String cited() {
    return (message.isEmpty() ? rule : message).strip();
  }
}
