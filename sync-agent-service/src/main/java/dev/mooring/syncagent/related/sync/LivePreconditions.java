package dev.mooring.syncagent.related.sync;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.share.PermissionClaims;
import dev.mooring.syncagent.related.sync.decide.RelatedAction;
import java.util.Optional;

/** Why an action must not be executed, by what kcp says at this moment. */
record LivePreconditions(
    RelatedResource entry, Visibility visibility, PermissionClaims claims, KubeClient workspace) {
  /** Empty if the action may be executed. */
  Optional<Progress> violatedBy(RelatedAction action) {
    return switch (action) {
      case RelatedAction.DeleteCopy(var _, var _, var unseen) ->
          unseen.filter(this::exists).isPresent() ? stale() : unlessVisibilityHolds();
      case RelatedAction.DeleteRecord _ -> unlessVisibilityHolds();
      case RelatedAction.CreateNamespace(var copy) when copy.side() == Side.KCP ->
          Progress.hidden(claims.visibility(visibility.cluster(), Visibility.NAMESPACES));
      default -> Optional.empty();
    };
  }

  private Optional<Progress> unlessVisibilityHolds() {
    return visibility.isStale(entry, workspace) ? stale() : Optional.empty();
  }

  private static Optional<Progress> stale() {
    return Optional.of(new Progress.Stale());
  }

  /** Asked before the bindings are, which are to say why an object is hidden. */
  private boolean exists(ObjectRef ref) {
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
