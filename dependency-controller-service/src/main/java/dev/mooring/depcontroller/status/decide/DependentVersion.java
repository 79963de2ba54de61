package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.GroupResource;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a rule's dependents are served in the version that its paths are written for. If not, the
 * rule stays in force: the webhook cannot read references, and denies.
 */
final class DependentVersion {
  static final String NOT_SERVED = "DependentVersionNotServed";

  private DependentVersion() {}

  /** The problem, and what to do; empty if none is known. */
  static Optional<String> problem(DependencyRule rule, ResolvedRules resolvedRules) {
    return resolvedRules.versions(rule).orElse(null) instanceof VersionReading.Served(var served)
            && !served.containsKey(rule.dependent().type().version())
        ? Optional.of(problem(rule.dependent(), served.keySet()))
        : Optional.empty();
  }

  /** Why the versions cannot be read; empty if they can, or are not listed yet. */
  static Optional<String> unreadable(DependencyRule rule, ResolvedRules resolvedRules) {
    return resolvedRules.versions(rule).orElse(null) instanceof VersionReading.Unreadable(var why)
        ? Optional.of(why)
        : Optional.empty();
  }

  private static String problem(Dependent dependent, Set<String> served) {
    String export =
        "APIExport " + dependent.apiExportName() + " serves " + GroupResource.of(dependent.type());
    return (served.isEmpty()
            ? export + " in no version: create the APIResourceSchema that it names"
            : export
                + " in "
                + String.join(", ", served)
                + ", not in "
                + dependent.type().version()
                + ": correct spec.dependent.version")
        + "; until then deletions of the targets are refused";
  }
}
