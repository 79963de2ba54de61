package dev.mooring.depcontroller.status.decide;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * Everything that statuses tell of.
 *
 * @param installations of providers that were looked at
 * @param cycles that rules are part of, as text
 */
public record StatusFacts(
    ResolvedRules resolvedRules,
    Map<LogicalCluster, Installation> installations,
    Map<ObjectKey, String> cycles,
    WebhookDelay delay) {
  public StatusFacts {
    Objects.requireNonNull(resolvedRules, "resolvedRules");
    installations = Map.copyOf(installations);
    cycles = Map.copyOf(cycles);
    Objects.requireNonNull(delay, "delay");
  }

  Duration settling() {
    return RaceReadiness.settling(delay);
  }
}
