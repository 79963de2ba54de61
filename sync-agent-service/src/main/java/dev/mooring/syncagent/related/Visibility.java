package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.ClaimVisibility;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the consumer shows of the types that decisions about an entry depend on.
 *
 * @param types in kcp: the entry's, and further ones that are recorded
 * @param namespaces in kcp, where the entry selects them; else full
 */
record Visibility(
    RelatedResource entry,
    LogicalCluster cluster,
    Set<ResourceType> types,
    ClaimVisibility objects,
    ClaimVisibility namespaces) {
  static final Set<ResourceType> NAMESPACES = Set.of(ResourceType.core("namespaces"));

  static Visibility of(
      RelatedResource entry,
      List<RelatedRecord> records,
      LogicalCluster cluster,
      PermissionClaims claims) {
    var types = new HashSet<ResourceType>();
    types.add(entry.types().inKcp());
    for (RelatedRecord record : records) {
      types.add((record.copy().side() == Side.KCP ? record.copy() : record.original()).type());
    }
    return new Visibility(
        entry,
        cluster,
        Set.copyOf(types),
        claims.visibility(cluster, types),
        claims.visibility(cluster, namespaceTypes(entry)));
  }

  private static Set<ResourceType> namespaceTypes(RelatedResource entry) {
    return entry.selectsNamespacesInKcp() ? NAMESPACES : Set.of();
  }

  ClaimVisibility all() {
    return objects.or(namespaces);
  }

  /** Whether the server says something else at this moment. */
  private boolean isStale(KubeReader workspace) {
    var all = new HashSet<>(types);
    all.addAll(namespaceTypes(entry));
    return !PermissionClaims.visibilityNow(workspace, cluster, all).equals(all());
  }

  /** Empty if the action may be executed, by what kcp says at this moment. */
  Optional<Progress> violatedBy(
      RelatedAction action, PermissionClaims claims, KubeClient workspace) {
    return switch (action) {
      case RelatedAction.DeleteCopy(var _, var _, var unseen, var _)
          when unseen.filter(ref -> exists(ref, workspace)).isPresent() || isStale(workspace) ->
          Optional.of(new Progress.Stale());
      case RelatedAction.DeleteRecord _ when isStale(workspace) ->
          Optional.of(new Progress.Stale());
      case RelatedAction.CreateNamespace(var copy) when copy.side() == Side.KCP ->
          Progress.hidden(claims.visibility(cluster, NAMESPACES));
      default -> Optional.empty();
    };
  }

  /** Asked before the bindings are, which are to say why an object is hidden. */
  private static boolean exists(ObjectRef ref, KubeClient workspace) {
    try {
      return PermissionClaims.findNow(workspace, ref).isPresent();
    } catch (KubeFailure e) {
      if (e.kind() == KubeFailure.Kind.FORBIDDEN) {
        return false;
      }
      throw e;
    }
  }
}
