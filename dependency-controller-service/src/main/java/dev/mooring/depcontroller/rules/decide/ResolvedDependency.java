package dev.mooring.depcontroller.rules.decide;

import dev.mooring.depcontroller.rules.decide.Participants.Membership;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.identity.LogicalCluster;
import java.util.Objects;
import java.util.Optional;

/**
 * Where one dependency of a rule leads, and whether it counts.
 *
 * @param provider whether the provider takes part; the export of one that does not is not judged
 * @param authority empty while nobody has looked
 */
public record ResolvedDependency(
    Resolution resolution, Membership provider, Optional<Authority> authority) {
  public ResolvedDependency {
    Objects.requireNonNull(resolution, "resolution");
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(authority, "authority");
  }

  /** Whether it is certain that it counts nowhere. */
  public boolean denied() {
    return authority.filter(known -> !known.counts()).isPresent();
  }

  /** Whether it is certain that it counts, wherever it leads. */
  public boolean counts() {
    return authority.filter(Authority::counts).isPresent();
  }

  /** Whether it is certain that the provider takes part. */
  public boolean takesPart() {
    return provider == Membership.MEMBER;
  }

  public boolean leadsTo(LogicalCluster provider) {
    return resolution instanceof Resolution.Known(var cluster) && cluster.equals(provider);
  }

  /** Whether it is known where it leads, if anywhere. */
  public boolean settled() {
    return switch (resolution) {
      case Resolution.Known(_), Resolution.Absent(_) -> true;
      case Resolution.Unknown(_), Resolution.Pending() -> false;
    };
  }
}
