package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.util.Map;

/**
 * Everything that the status of a rule is computed from.
 *
 * @param installations by provider, as last reconciled
 * @param cycles that rules are part of, as text
 * @param webhook what its user may read
 */
public record StatusFacts(
    ResolvedRules resolvedRules,
    Map<LogicalCluster, Installation> installations,
    Map<ObjectKey, String> cycles,
    WebhookDelay delay,
    WebhookRights webhook) {
  public StatusFacts {
    installations = Map.copyOf(installations);
    cycles = Map.copyOf(cycles);
  }
}
