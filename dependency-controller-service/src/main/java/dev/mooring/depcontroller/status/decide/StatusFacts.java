package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.workspace.decide.VersionReading;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that the status of a rule is computed from.
 *
 * @param installations by provider, as last reconciled; not copied, for there are thousands
 * @param cycles that rules are part of, as text
 * @param webhook what its user may read
 */
public record StatusFacts(
    ResolvedRules resolvedRules,
    Map<LogicalCluster, Installation> installations,
    Map<ObjectKey, String> cycles,
    WebhookDelay delay,
    WebhookRights webhook) {
  /**
   * How old the knowledge of the webhook's replicas may be, as they are configured.
   *
   * @param rules the longest time for which a replica uses rules without receiving events of them
   * @param index the age of the oldest bookmark at which an index answers
   */
  public record WebhookDelay(Duration rules, Duration index) {
    /** The webhook's defaults. */
    public static final WebhookDelay DEFAULT =
        new WebhookDelay(WebhookContract.STALENESS_MAX, WebhookContract.STALENESS_MAX);
  }

  /** Reason of conditions about {@link #versionProblem}. */
  static final String VERSION_NOT_SERVED = "DependentVersionNotServed";

  /**
   * Why the dependents are not served in the version that the rule's paths are written for, and
   * what to do; empty if they are, or that is not known. The rule stays in force: the webhook
   * cannot read references, and denies.
   */
  Optional<String> versionProblem(DependencyRule rule) {
    return resolvedRules.versions(rule).orElse(null) instanceof VersionReading.Served(var served)
            && !served.containsKey(rule.dependent().type().version())
        ? Optional.of(notServed(rule.dependent(), served.keySet()))
        : Optional.empty();
  }

  /**
   * Why the versions of the dependents cannot be read; empty if they can, or are not listed yet.
   */
  Optional<String> unreadableVersions(DependencyRule rule) {
    return resolvedRules.versions(rule).orElse(null) instanceof VersionReading.Unreadable(var why)
        ? Optional.of(why)
        : Optional.empty();
  }

  private static String notServed(Dependent dependent, Set<String> served) {
    String export =
        "APIExport " + dependent.apiExportName() + " serves " + GroupResource.of(dependent.type());
    return (served.isEmpty()
            ? export + " in no version: create the APIResourceSchema that it names"
            : "%s in %s, not in %s: correct spec.dependent.version"
                .formatted(export, String.join(", ", served), dependent.type().version()))
        + "; until then deletions of the targets are refused";
  }
}
