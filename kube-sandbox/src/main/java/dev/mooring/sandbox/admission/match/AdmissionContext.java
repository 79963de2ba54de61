package dev.mooring.sandbox.admission.match;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What surrounds a write: its namespace, other versions of its resource, and whose resource it is.
 *
 * @param origins by request: the logical cluster whose webhooks and policies count
 */
public record AdmissionContext(
    ResourceStore store,
    ResourceCatalog catalog,
    Function<AdmissionRequest, LogicalCluster> origins,
    Authorizer authorizer) {
  private static final ResourceKey NAMESPACES = ResourceKey.of("", "namespaces");

  /** Whose webhooks and policies count. */
  public LogicalCluster origin(AdmissionRequest request) {
    return origins.apply(request);
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
