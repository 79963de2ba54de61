package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.fleet.ConsumerView;
import dev.mooring.syncagent.fleet.TypeWatches;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Which permission claims consumers have accepted, from their APIBindings as the export's virtual
 * workspace shows them. Where a claim is rejected, objects of its type look as if there were none:
 * nothing may be concluded from that. Thread-safe.
 */
final class RelatedClaims {
  static final ResourceType BINDINGS = new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  private final TypeWatches watches;

  RelatedClaims(TypeWatches watches) {
    this.watches = watches;
  }

  /** Begins to watch. */
  void open() {
    watches.inKcp(BINDINGS);
  }

  /** What has to be done in which workspaces, one by one, as far as it is known; in order. */
  List<String> missing(Collection<ResourceType> types) {
    ConsumerView bindings = watches.inKcp(BINDINGS);
    return bindings.keys().stream()
        .sorted()
        .flatMap(key ->
            bindings.find(key).stream()
                .flatMap(binding ->
                    types.stream()
                        .flatMap(type -> missing(List.of(binding), key.cluster(), type).stream())))
        .toList();
  }

  /** What a person has to do in the workspace; empty if nothing is missing, or nothing is known. */
  Optional<String> missing(LogicalCluster cluster, ResourceType type) {
    return missing(watches.inKcp(BINDINGS).inCluster(cluster), cluster, type);
  }

  /**
   * As {@link #missing(LogicalCluster, ResourceType)}, as the server has it at this moment: objects
   * may vanish from their watch before the watch on bindings says why.
   *
   * @param workspace the cluster, by the export's virtual workspace
   */
  static Optional<String> missingNow(
      KubeReader workspace, LogicalCluster cluster, ResourceType type) {
    return missing(workspace.list(BINDINGS, ListQuery.ALL).items(), cluster, type);
  }

  private static Optional<String> missing(
      Collection<KubeObject> bindings, LogicalCluster cluster, ResourceType type) {
    for (KubeObject binding : bindings) {
      boolean claimed =
          binding.list("status", "exportPermissionClaims").stream().anyMatch(c -> names(c, type));
      boolean accepted =
          binding.list("spec", "permissionClaims").stream()
              .anyMatch(c -> names(c, type) && "Accepted".equals(Trees.at(c, "state")));
      if (claimed && !accepted) {
        return Optional.of(
            "APIBinding \""
                + binding.name()
                + "\" of workspace "
                + cluster
                + " does not accept the permission claim for "
                + type.qualified()
                + ". What depends on it stays as it is; accept the claim to go on.");
      }
    }
    return Optional.empty();
  }

  private static boolean names(Object claim, ResourceType type) {
    return Trees.textOrEmpty(Trees.at(claim, "group")).equals(type.group())
        && Trees.textOrEmpty(Trees.at(claim, "resource")).equals(type.resource());
  }
}
