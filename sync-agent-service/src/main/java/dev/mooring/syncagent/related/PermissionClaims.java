package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.related.decide.ClaimVisibility;
import dev.mooring.syncagent.related.decide.ObjectRef;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which permission claims consumers have accepted, from their APIBindings as the export's virtual
 * workspace shows them. Where a claim is rejected, objects of its type look as if there were none;
 * where it is accepted with a selector, those that do not match do: nothing may be concluded from
 * that. Thread-safe.
 */
public record PermissionClaims(TypeWatches watches) {
  /** Starts the watch. */
  public void open() {
    watches.inKcp(ExportView.BINDINGS);
  }

  /** What has to be done in which workspaces, one by one, as far as it is known; in order. */
  public List<String> missing(Collection<ResourceType> types) {
    MultiShardLister bindings = watches.inKcp(ExportView.BINDINGS);
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
  public Optional<String> missing(LogicalCluster cluster, ResourceType type) {
    return missing(watches.inKcp(ExportView.BINDINGS).inCluster(cluster), cluster, type);
  }

  /** How much of these types together the workspace shows; all of it if nothing is known. */
  public ClaimVisibility visibility(LogicalCluster cluster, Collection<ResourceType> types) {
    return visibility(watches.inKcp(ExportView.BINDINGS).inCluster(cluster), cluster, types);
  }

  /**
   * As {@link #visibility}, as the server has it at this moment: objects may vanish from their
   * watch before the watch on bindings says why.
   */
  public static ClaimVisibility visibilityNow(
      KubeReader workspace, LogicalCluster cluster, Collection<ResourceType> types) {
    return visibility(workspace.list(ExportView.BINDINGS, ListQuery.ALL).items(), cluster, types);
  }

  /**
   * The object as the server has it at this moment; empty, too, where the virtual workspace neither
   * serves nor is to serve its type.
   *
   * @throws KubeFailure if the server cannot say: a shard that starts answers 404 for types that
   *     the binding names, for some seconds more than it does for bindings
   */
  public static Optional<KubeObject> findNow(KubeReader workspace, ObjectRef ref) {
    try {
      return workspace.find(ref.type(), ref.namespace(), ref.name());
    } catch (KubeFailure e) {
      if (e.kind() != Kind.NOT_SERVED) {
        throw e;
      }
      for (KubeObject binding : workspace.list(ExportView.BINDINGS, ListQuery.ALL).items()) {
        if (!named(binding, "status", "boundResources", ref.type()).isEmpty()
            || !named(binding, "status", "exportPermissionClaims", ref.type()).isEmpty()) {
          throw new KubeFailure(
              Kind.UNAVAILABLE, e.code(), e.reason(), e.getMessage(), e.retryAfter(), e);
        }
      }
      return Optional.empty();
    }
  }

  /**
   * Whether the virtual workspace serves bindings, and after that does not serve the type. The
   * binding may name it all the same: an export can claim what does not exist.
   */
  public static boolean isUnserved(KubeReader workspace, ResourceType type) {
    workspace.list(ExportView.BINDINGS, ListQuery.ALL.withLimit(1));
    try {
      workspace.list(type, ListQuery.ALL.withLimit(1));
      return false;
    } catch (KubeFailure e) {
      if (e.kind() != Kind.NOT_SERVED) {
        throw e;
      }
      return true;
    }
  }

  private static ClaimVisibility visibility(
      Collection<KubeObject> bindings, LogicalCluster cluster, Collection<ResourceType> types) {
    ClaimVisibility all = new ClaimVisibility.Full();
    for (KubeObject binding : bindings) {
      for (ResourceType type : types) {
        all = all.or(visibility(binding, cluster, type));
      }
    }
    return all;
  }

  private static ClaimVisibility visibility(
      KubeObject binding, LogicalCluster cluster, ResourceType type) {
    if (named(binding, "status", "exportPermissionClaims", type).isEmpty()) {
      // It is the export's own type, or none that it has ever claimed.
      return new ClaimVisibility.Full();
    }
    List<Object> accepted =
        named(binding, "spec", "permissionClaims", type).stream()
            .filter(claim -> "Accepted".equals(Trees.at(claim, "state")))
            .toList();
    if (accepted.isEmpty()) {
      return new ClaimVisibility.None(
          ("APIBinding \"%s\" of workspace %s does not accept the permission claim for %s. What"
                  + " depends on it stays as it is; accept the claim to go on.")
              .formatted(binding.name(), cluster, type.qualified()));
    }
    // The server has to have applied the claim with its present selector.
    List<Object> applied = named(binding, "status", "appliedPermissionClaims", type);
    if (accepted.stream()
        .noneMatch(
            claim -> applied.stream().anyMatch(done -> selector(done).equals(selector(claim))))) {
      return new ClaimVisibility.Pending();
    }
    return accepted.stream().anyMatch(claim -> selector(claim).isEmpty())
        ? new ClaimVisibility.Full()
        : new ClaimVisibility.Partial(
            ("APIBinding \"%s\" of workspace %s accepts the permission claim for %s only with a"
                    + " selector, so what cannot be seen may still be there. What depends on it"
                    + " stays as it is; give it labels that match, or accept the claim with"
                    + " matchAll, to go on.")
                .formatted(binding.name(), cluster, type.qualified()));
  }

  private static List<Object> named(
      KubeObject binding, String part, String list, ResourceType type) {
    return binding.list(part, list).stream()
        .filter(claim -> Trees.text(claim, "group").equals(type.group()))
        .filter(claim -> Trees.text(claim, "resource").equals(type.resource()))
        .toList();
  }

  /** Empty if it matches all. */
  private static Map<String, Object> selector(Object claim) {
    return Boolean.TRUE.equals(Trees.at(claim, "selector", "matchAll"))
        ? Map.of()
        : Trees.map(claim, "selector");
  }

  private static Optional<String> missing(
      Collection<KubeObject> bindings, LogicalCluster cluster, ResourceType type) {
    return visibility(bindings, cluster, List.of(type)) instanceof ClaimVisibility.None(var why)
        ? Optional.of(why)
        : Optional.empty();
  }
}
