package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A permission claim that a provider accepts only for webhook configurations with certain labels.
 * Where the controller's configuration lacks them, it can be neither read nor written.
 */
public final class NarrowedClaim {
  private static final String CLAIMED = "validatingwebhookconfigurations";

  private NarrowedClaim() {}

  /**
   * @param bindings of the export, in the provider's workspace
   * @return empty if one accepts the claim for all configurations, or none accepts it
   */
  public static Optional<String> in(Collection<KubeObject> bindings) {
    List<Accepted> accepted =
        bindings.stream()
            .flatMap(binding ->
                binding.list("spec", "permissionClaims").stream()
                    .filter(NarrowedClaim::accepts)
                    .map(claim -> new Accepted(binding.name(), claim)))
            .toList();
    return accepted.stream().anyMatch(Accepted::all)
        ? Optional.empty()
        : accepted.stream().findFirst().map(Accepted::message);
  }

  private static boolean accepts(Object claim) {
    return CLAIMED.equals(Trees.at(claim, "resource"))
        && "Accepted".equals(Trees.at(claim, "state"));
  }

  private record Accepted(String binding, Object claim) {
    boolean all() {
      return Boolean.TRUE.equals(Trees.at(claim, "selector", "matchAll"))
          || Trees.mapOrEmpty(Trees.at(claim, "selector")).isEmpty();
    }

    String message() {
      return "the provider's APIBinding "
          + binding
          + " accepts the permission claim for "
          + CLAIMED
          + " only with a selector, which hides "
          + GuardSettings.CONFIGURATION
          + " from the controller, so that it can neither be written nor removed: accept the claim"
          + " with selector {matchAll: true}";
    }
  }
}
