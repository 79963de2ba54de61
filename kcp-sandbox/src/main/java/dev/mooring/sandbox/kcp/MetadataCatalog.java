package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.crd.CrdCatalog;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The metadata of custom resources in all logical clusters: of all that share a group and a name,
 * whichever API defines them and in whichever version.
 */
public record MetadataCatalog(ResourceStore store) implements ResourceCatalog {
  @Override
  public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
    ResourceKey key = ResourceKey.ofEveryIdentity(type.group(), type.resource());
    String name = type.resource() + "." + type.group();
    boolean known =
        !type.group().isEmpty()
            && (store.resourceKeys().stream().anyMatch(key::covers)
                || store.list(ListScope.everywhere(CrdCatalog.DEFINITIONS)).items().stream()
                    .anyMatch(definition -> definition.key().name().equals(name)));
    return known ? Optional.of(metadata(type, key)) : Optional.empty();
  }

  private static ResourceDefinition metadata(ResourceType type, ResourceKey key) {
    return ResourceDefinition.define(
            type, ResourceNames.of(type.resource(), "PartialObjectMetadata"), Scope.CLUSTER)
        .origin(ResourceDefinition.Origin.CUSTOM)
        .verbs(Set.of(Verb.LIST, Verb.WATCH))
        .resourceKey(key)
        .build();
  }

  @Override
  public List<ResourceDefinition> all(LogicalCluster cluster) {
    return List.of();
  }
}
