package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.Refusal;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.CachedResources;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Optional;

/** Only resources without namespaces can be cached, and each once in a workspace. */
public record CachedResourceAdmission(ResourceCatalog catalog, SystemObjects objects)
    implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() == Operation.CREATE) {
      CachedResources.type(request.object().orElseThrow())
          .ifPresent(type -> check(request, type, request.object().get().name()));
    }
  }

  private void check(AdmissionRequest request, ResourceType type, String name) {
    boolean namespaced =
        catalog
            .find(request.cluster(), type)
            .filter(definition -> definition.scope() == Scope.NAMESPACED)
            .isPresent();
    if (namespaced) {
      throw refused(
          request,
          type.qualified(),
          "Resource referenced in CachedResource must be cluster-scoped");
    }
    if (isCached(request.cluster(), type, name)) {
      throw refused(
          request,
          type.group() + "." + type.version() + "." + type.resource(),
          "CachedResource with this GVR already exists in the \"%s\" workspace"
              .formatted(request.cluster()));
    }
  }

  /** By one of another name, once that has its identity. */
  private boolean isCached(LogicalCluster cluster, ResourceType type, String name) {
    return objects.list(KcpResources.CACHED_RESOURCES, cluster).stream()
        .map(StoredObject::object)
        .anyMatch(other ->
            !other.name().equals(name)
                && CachedResources.type(other).equals(Optional.of(type))
                && CachedResources.isIdentified(other));
  }

  private static RuntimeException refused(AdmissionRequest request, String value, String why) {
    return Refusal.of(request, FieldError.invalid("spec", value, why).toString());
  }
}
