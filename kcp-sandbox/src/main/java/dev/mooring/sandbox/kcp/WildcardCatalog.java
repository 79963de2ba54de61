package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.kcp.api.KcpApis;
import dev.mooring.sandbox.kcp.binding.BoundResourceCatalog;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.RootIdentities;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Resources that a request to all logical clusters may name, in addition to built-in ones: kcp's
 * own that belong to no export, and the resources of an export as {@code resource:identity}.
 */
record WildcardCatalog(
    KcpApis system, BoundResourceCatalog bound, ExportResolver exports, RootIdentities root)
    implements ResourceCatalog {
  private static final Set<String> WITHOUT_EXPORT =
      Set.of("core.kcp.io", "apis.kcp.io", "cache.kcp.io");

  @Override
  public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
    int colon = type.resource().indexOf(':');
    if (colon < 0) {
      return system.find(type).filter(WildcardCatalog::isWithoutExport);
    }
    var plain = new ResourceType(type.group(), type.version(), type.resource().substring(0, colon));
    String identity = type.resource().substring(colon + 1);
    String own = plain.resource().equals("shards") ? plain.qualified() : plain.group();
    if (root.of(own).filter(identity::equals).isPresent()) {
      return system.find(plain);
    }
    return exports.withIdentity(identity).stream()
        .flatMap(export -> offered(export, identity, plain).stream())
        .findFirst();
  }

  private Optional<ResourceDefinition> offered(
      KubeObject export, String identity, ResourceType type) {
    Optional<ResourceDefinition> own = system.find(type);
    if (own.isPresent()) {
      boolean offered = export.logicalCluster().filter(KcpResources.ROOT::equals).isPresent();
      return own.filter(definition -> offered);
    }
    return bound.offeredBy(export, identity).stream()
        .filter(definition -> definition.type().equals(type))
        .findFirst();
  }

  @Override
  public List<ResourceDefinition> all(LogicalCluster cluster) {
    return system.definitions().values().stream().filter(WildcardCatalog::isWithoutExport).toList();
  }

  private static boolean isWithoutExport(ResourceDefinition definition) {
    return WITHOUT_EXPORT.contains(definition.type().group())
        && !KcpApis.isExported(definition.type());
  }
}
