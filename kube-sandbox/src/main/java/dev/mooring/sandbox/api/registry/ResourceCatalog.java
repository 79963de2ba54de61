package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a logical cluster serves. Answers change as CRDs and bindings come and go; asked on every
 * request, so answers must be quick. Thread-safe.
 */
public interface ResourceCatalog {
  /**
   * Empty if the cluster does not serve the type. Throws {@link ApiFailure} where the answer is
   * neither, such as 429 while storage is being made.
   */
  Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type);

  /** All that discovery lists, in no particular order. */
  List<ResourceDefinition> all(LogicalCluster cluster);

  /**
   * The versions of a resource, and what else serves the objects that are stored as it; in no
   * particular order.
   *
   * @param qualified such as {@code widgets.example.io}, or {@code secrets}
   */
  default List<ResourceDefinition> versions(LogicalCluster cluster, String qualified) {
    return all(cluster).stream()
        .filter(definition ->
            definition.type().qualified().equals(qualified)
                || definition.resourceKey().qualified().equals(qualified))
        .toList();
  }

  /** The resource of a kind; empty if the cluster does not serve it. */
  default Optional<ResourceDefinition> ofKind(
      LogicalCluster cluster, String group, String version, String kind) {
    if (version.isEmpty() || kind.isEmpty()) {
      return Optional.empty();
    }
    // Most plurals are regular; the whole catalog is looked through for others only.
    var guess = new ResourceType(group, version, kind.toLowerCase(Locale.ROOT) + "s");
    return find(cluster, guess)
        .filter(definition -> definition.kind().equals(kind))
        .or(() ->
            all(cluster).stream()
                .filter(definition ->
                    definition.kind().equals(kind)
                        && definition.type().group().equals(group)
                        && definition.type().version().equals(version))
                .findFirst());
  }
}
