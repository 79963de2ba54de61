package dev.mooring.depcontroller.rules.decide;

import dev.mooring.depcontroller.rules.decide.Participants.Membership;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import java.util.Optional;

/**
 * One dependency of a rule: where it leads, and whether it is eligible.
 *
 * @param provider whether the provider takes part; the export of one that does not is not read
 * @param authority empty while the exports are not looked up
 */
public record ResolvedDependency(
    Dependency dependency,
    Resolution resolution,
    Membership provider,
    Optional<Authority> authority) {
  /** As the rule names the provider's workspace. */
  public WorkspacePath path() {
    return dependency.export().path();
  }

  /** Whether it is certainly not eligible. */
  public boolean denied() {
    return authority.filter(known -> !known.counts()).isPresent();
  }

  /** Whether it is certainly eligible, in every workspace that its path may mean. */
  public boolean counts() {
    return authority.filter(Authority::counts).isPresent();
  }

  /** Whether the provider certainly takes part. */
  public boolean takesPart() {
    return provider == Membership.MEMBER;
  }

  public boolean leadsTo(LogicalCluster provider) {
    return resolution instanceof Resolution.Known(var cluster) && cluster.equals(provider);
  }

  /** Whether the path is resolved, to a workspace or to none. */
  public boolean settled() {
    return switch (resolution) {
      case Resolution.Known(_), Resolution.Absent(_) -> true;
      case Resolution.Unknown(_), Resolution.Pending() -> false;
    };
  }
}
