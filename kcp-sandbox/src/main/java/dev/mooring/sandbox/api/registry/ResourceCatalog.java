package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.List;
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
}
