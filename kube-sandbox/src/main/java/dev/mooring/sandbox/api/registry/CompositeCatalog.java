package dev.mooring.sandbox.api.registry;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import java.util.ArrayList;
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
    for (ResourceCatalog part : parts) {
      Optional<ResourceDefinition> found = part.find(cluster, type);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  @Override
  public List<ResourceDefinition> all(LogicalCluster cluster) {
    var all = new ArrayList<ResourceDefinition>();
    parts.forEach(part -> all.addAll(part.all(cluster)));
    return all;
  }

  @Override
  public List<ResourceDefinition> versions(LogicalCluster cluster, String qualified) {
    return parts.stream().flatMap(part -> part.versions(cluster, qualified).stream()).toList();
  }
}
