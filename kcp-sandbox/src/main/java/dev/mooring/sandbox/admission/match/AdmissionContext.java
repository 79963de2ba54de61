package dev.mooring.sandbox.admission.match;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.bound.BindingIndex;
import dev.mooring.sandbox.bound.ClusterBindings;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What surrounds a write: its namespace, other versions of its resource, and whose resource it is.
 */
public record AdmissionContext(
    ResourceStore store, ResourceCatalog catalog, BindingIndex bindings, Authorizer authorizer) {
  private static final ResourceKey NAMESPACES = ResourceKey.of("", "namespaces");

  /**
   * Whose webhooks and policies count: for a bound resource those of the provider's logical cluster
   * alone, otherwise those of the request's own.
   */
  public LogicalCluster origin(AdmissionRequest request) {
    ResourceType type = request.definition().type();
    if (request.definition().resourceKey().identity().isEmpty()) {
      return request.cluster();
    }
    return bindings
        .of(request.cluster())
        .exportOf(type.group(), type.resource())
        .map(ClusterBindings.ExportRef::cluster)
        .orElse(request.cluster());
  }

  /** Looks nothing up until it is asked. */
  public MatchCriteria.MatchContext of(AdmissionRequest request) {
    return new MatchCriteria.MatchContext(
        () -> namespaceLabels(request), () -> otherVersions(request));
  }

  /** Always of the request's own logical cluster; empty for an object without a namespace. */
  public Optional<KubeObject> namespace(AdmissionRequest request) {
    String name = MatchCriteria.namespaceFor(request);
    return name.isEmpty()
        ? Optional.empty()
        : store
            .get(new StorageKey(NAMESPACES, request.cluster(), "", name))
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
    return catalog
        .versions(request.cluster(), request.definition().resourceKey().qualified())
        .stream()
        .filter(other -> other.resourceKey().equals(request.definition().resourceKey()))
        .filter(other -> !other.type().equals(request.definition().type()))
        .toList();
  }
}
