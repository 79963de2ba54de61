package dev.mooring.depcontroller.guard.decide;

import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why the controller cannot write a provider's webhook configuration, by the provider's APIBindings
 * of the dependency APIExport: the provider has to consent, or the controller's own right is
 * missing. kcp words both alike.
 */
public final class BlockedWrite {
  private static final String GROUP = "admissionregistration.k8s.io";
  private static final String CLAIMED = "validatingwebhookconfigurations";
  private static final List<String> VERBS =
      List.of("get", "list", "watch", "create", "update", "delete");

  private BlockedWrite() {}

  /**
   * The provider does not bind the export, or no longer.
   *
   * @param left the configuration that remains: kcp keeps and shows it after the binding is
   *     deleted, and does not let it be written through the export
   */
  public static Blocked unbound(LogicalCluster provider, Optional<KubeObject> left) {
    String what = RuleProblem.unbound(provider);
    return new Blocked(
        Cause.PROVIDER_NOT_BOUND,
        left.isEmpty()
            ? what
            : what
                + "; or, to leave for good, delete its ValidatingWebhookConfiguration "
                + GuardSettings.CONFIGURATION
                + " there: the controller can no longer update it, and deletions are denied once"
                + " the webhook is gone");
  }

  /**
   * The provider accepts the claim only for webhook configurations with certain labels, which the
   * controller's lacks, so that it can be neither read nor written. Empty if a binding accepts the
   * claim for all configurations, or none accepts it.
   */
  public static Optional<Blocked> narrowed(Collection<KubeObject> bindings) {
    if (bindings.stream().flatMap(BlockedWrite::accepted).anyMatch(BlockedWrite::isWhole)) {
      return Optional.empty();
    }
    return bindings.stream()
        .filter(binding -> accepted(binding).findFirst().isPresent())
        .findFirst()
        .map(binding ->
            new Blocked(
                Cause.CLAIM_NARROWED,
                ("the provider's APIBinding %s accepts the permission claim for %s only with a"
                        + " selector, which hides %s from the controller, so that it can neither be"
                        + " written nor removed: accept the claim with selector {matchAll: true}")
                    .formatted(binding.name(), CLAIMED, GuardSettings.CONFIGURATION)));
  }

  /**
   * kcp refuses a write.
   *
   * @param remedy what to grant the controller, and where
   * @param said by kcp
   */
  public static Blocked refused(
      LogicalCluster provider, Collection<KubeObject> bindings, String remedy, String said) {
    return bindings.stream().flatMap(BlockedWrite::accepted).anyMatch(BlockedWrite::isEnough)
        ? new Blocked(
            Cause.CONTENT_FORBIDDEN,
            "the claim is accepted, but the controller may not use it: " + remedy + ": " + said)
        : new Blocked(
            Cause.CLAIM_NOT_ACCEPTED,
            ("the APIBinding in the provider's workspace %s does not accept the permission claim for"
                    + " %s, or accepts fewer verbs than get, list, watch, create, update and"
                    + " delete: %s")
                .formatted(named(provider, bindings), CLAIMED, said));
  }

  private static Stream<Object> accepted(KubeObject binding) {
    return binding.list("spec", "permissionClaims").stream()
        .filter(claim ->
            GROUP.equals(Trees.at(claim, "group"))
                && CLAIMED.equals(Trees.at(claim, "resource"))
                && "Accepted".equals(Trees.at(claim, "state")));
  }

  private static boolean isWhole(Object claim) {
    return Boolean.TRUE.equals(Trees.at(claim, "selector", "matchAll"))
        || Trees.map(claim, "selector").isEmpty();
  }

  private static boolean isEnough(Object claim) {
    List<Object> verbs = Trees.list(claim, "verbs");
    return Boolean.TRUE.equals(Trees.at(claim, "selector", "matchAll"))
        && (verbs.contains("*") || verbs.containsAll(VERBS));
  }

  /** By its path, which kcp writes onto what it shows; by its cluster alone if it has not. */
  private static String named(LogicalCluster provider, Collection<KubeObject> bindings) {
    return bindings.stream()
            .flatMap(binding -> binding.annotation("kcp.io/path").stream())
            .findFirst()
            .map(path -> path + " ")
            .orElse("")
        + "(logical cluster %s)".formatted(provider);
  }
}
