package dev.mooring.depwebhook.index;

import dev.mooring.depwebhook.eligibility.WorkspaceExistence;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.index.decide.BindingSource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;

/** Reads live which of a workspace's APIBindings brings a type. */
public record BindingSourceReader(KubeReader workspace, ResourceType type) {
  /**
   * Lists the bindings.
   *
   * @throws KubeFailure if they cannot be read, or the server does not have the workspace
   */
  public BindingSource read() {
    BindingSource source =
        BindingSource.among(workspace.list(Binding.TYPE, ListQuery.ALL).items(), type);
    if (source.equals(BindingSource.NONE)) {
      WorkspaceExistence.require(workspace);
    }
    return source;
  }

  /**
   * Reads one binding by name if the last source was one; does not look for another binding that
   * replaced it.
   *
   * @throws KubeFailure if it cannot be read
   */
  public BindingSource confirm(BindingSource last) {
    return last.equals(BindingSource.NONE)
        ? read()
        : workspace
            .find(Binding.TYPE, "", last.binding())
            .flatMap(binding -> BindingSource.by(binding, type))
            .orElse(BindingSource.NONE);
  }
}
