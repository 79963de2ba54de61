package dev.mooring.sandbox.kcp.export;

import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.object.Refusal;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.workspace.ReferencePermission;
import java.util.List;

/** Requires the right to bind the export from users who create an endpoint slice. */
public record EndpointSliceAdmission(ExportResolver exports, ReferencePermission permission)
    implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() != Operation.CREATE) {
      return;
    }
    ExportReference reference = ExportReference.ofSlice(request.object().orElseThrow());
    if (reference.name().isEmpty()) {
      Refusal.ofAny(request, List.of(FieldError.required("spec.export.name", "")));
    }
    // The same denial if there is no such export: it does not reveal which workspaces exist.
    exports
        .exportCluster(reference, request.cluster())
        .filter(provider ->
            reference.path().isEmpty() || exports.export(provider, reference.name()).isPresent())
        .filter(provider -> permission.mayBind(request.user(), provider, reference.name()))
        .orElseThrow(() ->
            Refusal.of(
                request,
                "unable to create APIExportEndpointSlice: no permission to bind to export "
                    + reference));
  }
}
