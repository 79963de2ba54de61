package dev.mooring.depwebhook.index;

import dev.mooring.depwebhook.eligibility.WorkspaceExistence;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.index.decide.BindingSource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;

/** Reads from a workspace's APIBindings, as they are now, where it has a type from. */
public record BindingSourceReader(KubeReader workspace, ResourceType type) {
  /**
   * Lists them.
   *
   * @throws KubeFailure if that is not known, also because the server does not have the workspace
   */
  public BindingSource read() {
    BindingSource origin =
        BindingSource.among(workspace.list(Binding.TYPE, ListQuery.ALL).items(), type);
    if (origin instanceof BindingSource.Unbound) {
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
  public BindingSource readAgain(BindingSource last) {
    return switch (last) {
      case BindingSource.Unbound() -> read();
      case BindingSource.Bound bound ->
          workspace
              .find(Binding.TYPE, "", bound.binding())
              .flatMap(binding -> BindingSource.by(binding, type))
              .orElseGet(BindingSource.Unbound::new);
    };
  }
}
