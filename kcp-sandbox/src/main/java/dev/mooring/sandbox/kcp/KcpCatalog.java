package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.kcp.api.KcpApis;
import dev.mooring.sandbox.kcp.binding.BoundResourceCatalog;
import dev.mooring.sandbox.kcp.object.KcpResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * kcp's own types, and what the cluster's APIBindings add. Of kcp's own, every logical cluster has
 * those that no export of the workspace root offers; the others it has by an APIBinding as well.
 */
public record KcpCatalog(KcpApis system, BoundResourceCatalog bound) implements ResourceCatalog {
  @Override
  public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
    Optional<ResourceDefinition> own =
        system.find(type).filter(definition -> isServed(definition, cluster));
    return own.isPresent() ? own : Optional.ofNullable(bound.in(cluster).get(type));
  }

  @Override
  public List<ResourceDefinition> all(LogicalCluster cluster) {
    var all = new ArrayList<ResourceDefinition>();
    system.definitions().values().stream()
        .filter(definition -> isServed(definition, cluster))
        .forEach(all::add);
    all.addAll(bound.in(cluster).values());
    return all;
  }

  private boolean isServed(ResourceDefinition definition, LogicalCluster cluster) {
    return !KcpApis.isExported(definition.type())
        // The controllers of a server that starts find their types before it has bound them.
        || cluster.equals(KcpResources.ROOT)
        || bound.binds(cluster, definition.type());
  }
}
