package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.object.Refusal;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;

/** Only resources without namespaces can be cached. */
public record CachedResourceAdmission(ResourceCatalog catalog) implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() != Operation.CREATE) {
      return;
    }
    KubeObject cached = request.object().orElseThrow();
    var type =
        new ResourceType(
            cached.text("spec", "group"),
            cached.text("spec", "version"),
            cached.text("spec", "resource"));
    catalog
        .find(request.cluster(), type)
        .filter(definition -> definition.scope() == Scope.NAMESPACED)
        .ifPresent(_ -> {
          throw Refusal.of(
              request,
              FieldError.invalid(
                      "spec",
                      type.qualified(),
                      "Resource referenced in CachedResource must be cluster-scoped")
                  .toString());
        });
  }
}
