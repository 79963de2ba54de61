package dev.mooring.cli.why.decide;

import dev.mooring.cli.status.ObjectStatus;
import java.util.List;

/**
 * A DependencyRule about the object's type.
 *
 * @param workspace of its author
 * @param status that of its conditions; failing too if the rule cannot be read
 * @param field of the dependent that names the object
 * @param mode Deny, Warn or Audit
 * @param bypass Annotation or RequirePermission
 * @param provider workspace of the target's provider, where the permission to bypass is granted
 * @param dependents that refer to the object, as kind, namespace and name
 * @param mayBypass whether the caller has that permission, where the rule requires it
 */
public record RuleView(
    String name,
    String workspace,
    ObjectStatus status,
    String dependentType,
    String field,
    String mode,
    String bypass,
    String provider,
    Fact<List<String>> dependents,
    Fact<Boolean> mayBypass) {
  /** As messages of the webhook do, with a path in place of the logical cluster. */
  public String title() {
    return "DependencyRule " + name + " in " + workspace;
  }

  boolean requiresPermission() {
    return bypass.equals("RequirePermission");
  }

  List<String> found() {
    return dependents.value().orElse(List.of());
  }
}
