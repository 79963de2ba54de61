package dev.mooring.sandbox.admission;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.api.ResourceCatalog;
import dev.mooring.sandbox.api.ResourceDefinition;
import dev.mooring.sandbox.bound.BoundResources;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ObjectAddress;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What surrounds a write: its namespace, other versions of its resource, and whose resource it is.
 */
public final class AdmissionSurroundings {
  private static final Bucket NAMESPACES = Bucket.of("", "namespaces");

  private final ResourceStore store;
  private final ResourceCatalog catalog;
  private final BoundResources bound;

  public AdmissionSurroundings(ResourceStore store, ResourceCatalog catalog, BoundResources bound) {
    this.store = store;
    this.catalog = catalog;
    this.bound = bound;
  }

  /**
   * Whose webhooks and policies count: for a bound resource those of the provider's logical cluster
   * alone, otherwise those of the request's own.
   */
  public LogicalCluster origin(AdmissionRequest request) {
    ResourceType type = request.definition().type();
    if (request.definition().bucket().identity().isEmpty()) {
      return request.cluster();
    }
    return bound
        .exportOf(request.cluster(), type.group(), type.resource())
        .map(BoundResources.ExportRef::cluster)
        .orElse(request.cluster());
  }

  /** Looks nothing up until it is asked. */
  public MatchCriteria.Surroundings of(AdmissionRequest request) {
    return new MatchCriteria.Surroundings(
        () -> namespaceLabels(request), () -> otherVersions(request));
  }

  /** Always of the request's own logical cluster; empty for an object without a namespace. */
  public Optional<KubeObject> namespace(AdmissionRequest request) {
    String name = MatchCriteria.namespaceFor(request);
    return name.isEmpty()
        ? Optional.empty()
        : store
            .get(new ObjectAddress(NAMESPACES, request.cluster(), "", name))
            .map(StoredObject::object);
  }

  private Map<String, String> namespaceLabels(AdmissionRequest request) {
    return namespace(request)
        .map(KubeObject::labels)
        .orElseThrow(() ->
            ApiFailure.notFound(
                ResourceType.core("namespaces"), MatchCriteria.namespaceFor(request)));
  }

  private List<ResourceDefinition> otherVersions(AdmissionRequest request) {
    return catalog.all(request.cluster()).stream()
        .filter(other -> other.bucket().equals(request.definition().bucket()))
        .filter(other -> !other.type().equals(request.definition().type()))
        .toList();
  }
}
