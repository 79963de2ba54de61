package dev.mooring.sandbox.kcp.export.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import java.util.Map;
import java.util.Optional;

/**
 * What a CachedResourceEndpointSlice says: the URLs of the virtual workspaces with the objects of a
 * CachedResource, one for each shard on which a workspace has bound the export that refers to the
 * slice.
 */
public final class CachedSlicePlanner {
  private static final String CACHED_RESOURCE_VALID = "ResourceValid";

  private CachedSlicePlanner() {}

  /**
   * As {@link EndpointSlicePlanner#validated}.
   *
   * @param cached empty if the slice refers to none
   */
  public static KubeObject validated(
      KubeObject slice,
      Optional<KubeObject> cached,
      Optional<KubeObject> export,
      EndpointSlicePlanner.Partition partition,
      String now) {
    if (cached.isEmpty()) {
      return Conditions.unmet(
              slice,
              CACHED_RESOURCE_VALID,
              Severity.ERROR,
              "CachedResourceNotFound",
              "Error getting CachedResource "
                  + EndpointSlicePlanner.qualified(slice, cachedResource(slice)),
              now)
          .without("status", "endpoints");
    }
    KubeObject valid = Conditions.met(slice, CACHED_RESOURCE_VALID, now);
    String name = EndpointSlicePlanner.qualified(slice, ExportReference.ofSlice(slice));
    if (export.isEmpty()) {
      return withoutExport(valid, "APIExport " + name + " not found", now);
    }
    if (export.get().list("spec", "resources").stream()
        .map(CachedSlicePlanner::reference)
        .noneMatch(it -> isSlice(it) && slice.name().equals(Trees.text(it, "name")))) {
      return withoutExport(
          valid, "APIExport " + name + " does not reference this CachedResourceEndpointSlice", now);
    }
    return EndpointSlicePlanner.withPartition(
        Conditions.met(valid, Conditions.EXPORT_VALID, now), partition, now);
  }

  private static KubeObject withoutExport(KubeObject slice, String why, String now) {
    return Conditions.unmet(
            slice, Conditions.EXPORT_VALID, Severity.ERROR, "APIExportInvalidReference", why, now)
        .without("status", "endpoints");
  }

  /** The CachedResource that a slice names. */
  public static ExportReference cachedResource(KubeObject slice) {
    return new ExportReference(
        slice.text("spec", "cachedResource", "path"), slice.text("spec", "cachedResource", "name"));
  }

  /** What the resource of an export refers to; empty if it is not virtual. */
  public static Map<String, Object> reference(KubeObject export, String group, String resource) {
    return export.list("spec", "resources").stream()
        .map(Trees::mapOrEmpty)
        .filter(it -> group.equals(it.get("group")) && resource.equals(it.get("name")))
        .findFirst()
        .map(CachedSlicePlanner::reference)
        .orElse(Map.of());
  }

  /** What a resource of an export refers to; empty if it is not virtual. */
  public static Map<String, Object> reference(Object resource) {
    return Trees.mapOrEmpty(Trees.at(resource, "storage", "virtual", "reference"));
  }

  /** Whether a reference is to a CachedResourceEndpointSlice. */
  public static boolean isSlice(Map<String, Object> reference) {
    return "cache.kcp.io".equals(reference.get("apiGroup"))
        && "CachedResourceEndpointSlice".equals(reference.get("kind"));
  }
}
