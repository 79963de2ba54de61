package dev.mooring.depwebhook.index;

import dev.mooring.depwebhook.index.decide.Origin;
import dev.mooring.depwebhook.standing.WorkspaceExistence;
import dev.mooring.depwebhook.standing.decide.Binding;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;

/** Reads from a workspace's APIBindings, as they are now, where it has a type from. */
public record OriginReader(KubeReader workspace, ResourceType type) {
  /**
   * Lists them.
   *
   * @throws KubeFailure if that is not known, also because the server does not have the workspace
   */
  public Origin read() {
    Origin origin = Origin.among(workspace.list(Binding.TYPE, ListQuery.ALL).items(), type);
    if (origin instanceof Origin.Unbound) {
      WorkspaceExistence.require(workspace);
    }
    return origin;
  }

  /**
   * Whether it is still this; what it is otherwise is not sought for. One object where a binding is
   * known.
   *
   * @throws KubeFailure if that is not known
   */
  public Origin readAgain(Origin last) {
    return switch (last) {
      case Origin.Unbound() -> read();
      case Origin.Bound bound ->
          workspace
              .find(Binding.TYPE, "", bound.binding())
              .flatMap(binding -> Origin.by(binding, type))
              .orElseGet(Origin.Unbound::new);
    };
  }
}
