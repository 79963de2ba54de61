package dev.mooring.sandbox.kcp.export;

import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.workspace.ReferencePermission;

/** Requires the right to bind the export from users who create an endpoint slice. */
public record EndpointSliceAdmission(ExportResolver exports, ReferencePermission permission)
    implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() == Operation.CREATE) {
      ExportReference reference = ExportReference.ofSlice(request.object().orElseThrow());
      exports.requireBindable(reference, request, permission, "APIExportEndpointSlice");
    }
  }
}
