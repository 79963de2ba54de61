package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Serves the same resources in every logical cluster: those that its constructor adds. */
public abstract class FixedCatalog implements ResourceCatalog {
  private final Map<ResourceType, ResourceDefinition> definitions = new LinkedHashMap<>();

  /** Only while the catalog is being made. */
  protected final void add(ResourceDefinition.Builder builder) {
    ResourceDefinition definition = builder.build();
    definitions.put(definition.type(), definition);
  }

  @Override
  public final Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
    return Optional.ofNullable(definitions.get(type));
  }

  @Override
  public final List<ResourceDefinition> all(LogicalCluster cluster) {
    return List.copyOf(definitions.values());
  }
}
