package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.lookup.ServedTypes;
import dev.mooring.depwebhook.lookup.ServedTypes.Served;
import dev.mooring.depwebhook.race.decide.ReferenceStep.LiveTarget;
import dev.mooring.model.dependency.Reference;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;

/**
 * Reads live, by name, the targets that a reference may mean. The server's 404 tells whether the
 * type is namespaced.
 */
final class LiveTargets {
  private LiveTargets() {}

  /**
   * @return empty if there is none, or this workspace does not serve its type
   * @throws KubeFailure if that is unknown
   */
  static List<LiveTarget> of(KubeReader workspace, ResourceType type, Reference reference) {
    try {
      return served(workspace, type, reference);
    } catch (KubeFailure failure) {
      if (failure.kind() != KubeFailure.Kind.NOT_SERVED) {
        throw failure;
      }
      return switch (ServedTypes.find(workspace, type)) {
        case Served.Nowhere() -> List.of();
        case Served.InOtherVersions(var versions) ->
            served(
                workspace,
                new ResourceType(type.group(), versions.getFirst(), type.resource()),
                reference);
        // It came to be served between the two requests; the client retries.
        case Served.InNamespaces(), Served.ClusterWide() -> throw failure;
      };
    }
  }

  private static List<LiveTarget> served(
      KubeReader workspace, ResourceType type, Reference reference) {
    try {
      return found(workspace, type, reference.namespace(), reference.name());
    } catch (KubeFailure failure) {
      if (failure.kind() != KubeFailure.Kind.NOT_SERVED) {
        throw failure;
      }
      return reference.namespace().isEmpty()
          ? inAnyNamespace(workspace, type, reference.name())
          : found(workspace, type, "", reference.name());
    }
  }

  private static List<LiveTarget> found(
      KubeReader workspace, ResourceType type, String namespace, String name) {
    return workspace.find(type, namespace, name).map(LiveTargets::target).stream().toList();
  }

  /** A cluster-scoped dependent may refer to a namespaced target without its namespace. */
  private static List<LiveTarget> inAnyNamespace(
      KubeReader workspace, ResourceType type, String name) {
    return workspace.list(type, ListQuery.ALL.withFields("metadata.name=" + name)).items().stream()
        .map(LiveTargets::target)
        .toList();
  }

  private static LiveTarget target(KubeObject object) {
    return new LiveTarget(
        object.uid(), object.deleting() ? LiveTarget.Phase.TERMINATING : LiveTarget.Phase.ACTIVE);
  }
}
