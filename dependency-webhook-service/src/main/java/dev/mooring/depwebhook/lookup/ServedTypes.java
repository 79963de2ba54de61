package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.index.BindingSourceReader;
import dev.mooring.depwebhook.index.decide.BindingSource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads from a workspace's discovery whether and how it serves a type. */
public final class ServedTypes {
  private ServedTypes() {}

  /** How a workspace serves a type, by its discovery. */
  public sealed interface Served {
    /** The group or resource is missing in all versions: there are no objects. */
    record Nowhere() implements Served {}

    /** In the requested version, namespaced. */
    record InNamespaces() implements Served {}

    /** In the requested version, cluster-scoped. */
    record ClusterWide() implements Served {}

    /**
     * Objects may exist, but a rule's field path is of another version.
     *
     * @param versions never empty
     */
    record InOtherVersions(List<String> versions) implements Served {
      public InOtherVersions {
        versions = List.copyOf(versions);
      }
    }
  }

  /** Throws {@link KubeFailure} if discovery cannot be read; that is no answer. */
  public static Served find(KubeReader workspace, ResourceType type) {
    var elsewhere = new ArrayList<String>();
    for (String version : versions(workspace, type.group())) {
      Optional<Map<String, Object>> resource = resource(workspace, type, version);
      if (resource.isPresent() && version.equals(type.version())) {
        return Boolean.TRUE.equals(resource.get().get("namespaced"))
            ? new Served.InNamespaces()
            : new Served.ClusterWide();
      }
      resource.ifPresent(found -> elsewhere.add(version));
    }
    return elsewhere.isEmpty() ? new Served.Nowhere() : new Served.InOtherVersions(elsewhere);
  }

  /**
   * To be called before a type without list and discovery counts as not served: a shard that has
   * just started serves bound types some seconds later than others, in discovery as well.
   *
   * @throws KubeFailure if a binding brings the type, if bindings cannot be read, or if the server
   *     does not have the workspace
   */
  static void requireUnbound(KubeReader workspace, ResourceType type) {
    BindingSource bound = new BindingSourceReader(workspace, type).read();
    if (!bound.equals(BindingSource.NONE)) {
      throw KubeFailure.unavailable(
          "%s is not served although APIBinding %s binds it: the shard may be starting, retry later"
              .formatted(type.qualified(), bound.binding()),
          null);
    }
  }

  private static List<String> versions(KubeReader workspace, String group) {
    if (group.isEmpty()) {
      return List.of("v1");
    }
    return document(workspace, "apis/" + group).map(found -> found.list("versions")).stream()
        .flatMap(List::stream)
        .map(version -> Trees.text(version, "version"))
        .filter(version -> !version.isEmpty())
        .toList();
  }

  private static Optional<Map<String, Object>> resource(
      KubeReader workspace, ResourceType type, String version) {
    String path = new ResourceType(type.group(), version, type.resource()).apiPath();
    return document(workspace, path).map(found -> found.list("resources")).stream()
        .flatMap(List::stream)
        .map(Trees::mapOrEmpty)
        .filter(resource -> type.resource().equals(resource.get("name")))
        .findFirst();
  }

  private static Optional<KubeObject> document(KubeReader workspace, String path) {
    try {
      return Optional.of(workspace.document(path));
    } catch (KubeFailure failure) {
      if (failure.isAbsent()) {
        return Optional.empty();
      }
      throw failure;
    }
  }
}
