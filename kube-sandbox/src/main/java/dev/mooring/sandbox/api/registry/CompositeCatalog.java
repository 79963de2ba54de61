package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Several catalogs as one; the first that knows a type wins. */
public final class CompositeCatalog implements ResourceCatalog {
  private final List<ResourceCatalog> parts = new CopyOnWriteArrayList<>();

  /** Asked after all that were added before. */
  public void add(ResourceCatalog part) {
    parts.add(part);
  }

  @Override
  public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
    return parts.stream().flatMap(part -> part.find(cluster, type).stream()).findFirst();
  }

  @Override
  public List<ResourceDefinition> all(LogicalCluster cluster) {
    return parts.stream().flatMap(part -> part.all(cluster).stream()).toList();
  }

  @Override
  public List<ResourceDefinition> versions(LogicalCluster cluster, String qualified) {
    return parts.stream().flatMap(part -> part.versions(cluster, qualified).stream()).toList();
  }
}
