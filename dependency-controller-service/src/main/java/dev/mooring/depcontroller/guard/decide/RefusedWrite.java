package dev.mooring.depcontroller.guard.decide;

import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.Collection;
import java.util.List;

/**
 * What it means that the controller may not write a provider's configuration: the provider has not
 * consented, or it has, and the controller's own right is missing. kcp words both alike.
 */
public final class RefusedWrite {
  private static final List<String> VERBS =
      List.of("get", "list", "watch", "create", "update", "delete");

  private RefusedWrite() {}

  /**
   * @param bindings the provider's, to the dependency APIExport
   * @param remedy what to grant the controller, and where
   * @param said by kcp
   */
  public static Blocked meaning(
      LogicalCluster provider, Collection<KubeObject> bindings, String remedy, String said) {
    return bindings.stream().anyMatch(RefusedWrite::accepts)
        ? new Blocked(
            Cause.CONTENT_FORBIDDEN,
            "the claim is accepted, but the controller may not use it: " + remedy + ": " + said)
        : new Blocked(
            Cause.CLAIM_NOT_ACCEPTED,
            "the APIBinding in the provider's workspace "
                + named(provider, bindings)
                + " does not accept the permission claim for validatingwebhookconfigurations, or"
                + " accepts fewer verbs than get, list, watch, create, update and delete: "
                + said);
  }

  private static boolean accepts(KubeObject binding) {
    return binding.list("spec", "permissionClaims").stream().anyMatch(RefusedWrite::isAccepted);
  }

  private static boolean isAccepted(Object claim) {
    List<Object> verbs = Trees.listOrEmpty(Trees.at(claim, "verbs"));
    return "admissionregistration.k8s.io".equals(Trees.at(claim, "group"))
        && "validatingwebhookconfigurations".equals(Trees.at(claim, "resource"))
        && "Accepted".equals(Trees.at(claim, "state"))
        && Boolean.TRUE.equals(Trees.at(claim, "selector", "matchAll"))
        && (verbs.contains("*") || verbs.containsAll(VERBS));
  }

  /** By its path, which kcp writes onto what it shows; by its cluster alone if it has not. */
  private static String named(LogicalCluster provider, Collection<KubeObject> bindings) {
    return bindings.stream()
            .flatMap(binding -> binding.annotation("kcp.io/path").stream())
            .findFirst()
            .map(path -> path + " ")
            .orElse("")
        + "(logical cluster "
        + provider
        + ")";
  }
}
