package dev.mooring.sandbox.kcp.cached;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.bound.BindingIndex;
import dev.mooring.sandbox.crd.resource.CustomResources;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.export.decide.CachedSlicePlanner;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.CachedResources;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.storage.StoreView;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Resources of exports whose objects are those of a CachedResource. Thread-safe.
 *
 * @param replicas of the cache server
 */
public record VirtualResources(
    ExportResolver exports, BindingIndex bindings, ServerUrls urls, StoreView replicas) {
  /** A resource as workspaces have it that have bound it. */
  public ResourceDefinition bound(ResourceDefinition definition) {
    return virtual(definition, cluster -> bound(definition.type(), oneOf(cluster)));
  }

  /** A resource as the virtual workspace of a slice has it. */
  public ResourceDefinition of(KubeObject slice, ResourceDefinition definition) {
    return virtual(
        definition,
        cluster -> {
          oneOf(cluster);
          return cached(slice).orElseThrow(ApiFailure::pageNotFound);
        });
  }

  private static ResourceDefinition virtual(
      ResourceDefinition definition, ResourceDefinition.Source source) {
    ResourceDefinition.Builder builder = definition.toBuilder().source(source);
    // Virtual workspaces add no column to Tables that lists none itself.
    return definition.columns().equals(List.of(CustomResources.AGE))
        ? builder.columns(List.of()).build()
        : builder.build();
  }

  private static LogicalCluster oneOf(Optional<LogicalCluster> cluster) {
    return cluster.orElseThrow(() -> ApiFailure.badRequest("Wildcard request not supported"));
  }

  private StoreView bound(ResourceType type, LogicalCluster consumer) {
    KubeObject export =
        bindings
            .of(consumer)
            .exportOf(type.group(), type.resource())
            .flatMap(found -> exports.export(found.cluster(), found.name()))
            .orElseThrow(() -> unresolved(": the APIExport is not found"));
    Map<String, Object> reference =
        CachedSlicePlanner.reference(export, type.group(), type.resource());
    String group = Trees.text(reference, "apiGroup");
    String kind = Trees.text(reference, "kind");
    if (!CachedSlicePlanner.isSlice(reference)) {
      throw unresolved(": no matches for kind \"%s\" in group \"%s\"".formatted(kind, group));
    }
    String name = Trees.text(reference, "name");
    KubeObject slice =
        slice(export.logicalCluster().orElseThrow(), name)
            .orElseThrow(() ->
                unresolved(
                    ": cachedresourceendpointslices.cache.kcp.io \"%s\" not found"
                        .formatted(name)));
    return served(type, slice);
  }

  private StoreView served(ResourceType type, KubeObject slice) {
    List<Object> endpoints = slice.list("status", "endpoints");
    Optional<StoreView> found = endpoints.isEmpty() ? Optional.empty() : cached(slice);
    if (found.isEmpty()) {
      throw unresolved(
          " %s; please contact APIExport owner to resolve".formatted(type.qualified()));
    }
    if (endpoints.stream().noneMatch(it -> Trees.text(it, "url").startsWith(urls.shardUrl()))) {
      throw unresolved(": no URLs match prefix \"%s\"".formatted(urls.shardUrl()));
    }
    return found.get();
  }

  private static ApiFailure unresolved(String why) {
    return ApiFailure.internal("error resolving resource" + why);
  }

  public Optional<KubeObject> slice(LogicalCluster cluster, String name) {
    return exports
        .objects()
        .get(KcpResources.CACHED_SLICES, cluster, name)
        .map(StoredObject::object);
  }

  /** Empty if the slice refers to no CachedResource that has its identity. */
  private Optional<StoreView> cached(KubeObject slice) {
    return exports
        .cachedResource(slice)
        .filter(cached -> CachedResources.isIdentified(cached))
        .map(cached ->
            new CachedObjects(
                replicas, CachedObjects.bucket(cached), cached.logicalCluster().orElseThrow()));
  }
}
