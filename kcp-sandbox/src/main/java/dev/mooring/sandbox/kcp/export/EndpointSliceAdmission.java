package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.workspace.ReferencePermission;
import java.util.Optional;

/** Requires the right to bind the export from users who create an endpoint slice. */
public final class EndpointSliceAdmission implements ResourceAdmission {
  private final ExportResolver exports;
  private final ReferencePermission permission;

  public EndpointSliceAdmission(ExportResolver exports, ReferencePermission permission) {
    this.exports = exports;
    this.permission = permission;
  }

  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() != Operation.CREATE) {
      return;
    }
    ExportReference reference = ExportReference.ofSlice(request.object().orElseThrow());
    Optional<LogicalCluster> provider = exports.exportCluster(reference, request.cluster());
    if (provider.isEmpty()
        || exports.export(reference, request.cluster()).isEmpty()
        || !permission.mayBind(request.user(), provider.get(), reference.name())) {
      throw ApiFailure.forbidden(
          request.definition().type(),
          request.object().orElseThrow().name(),
          "unable to create APIExportEndpointSlice: no permission to bind to export " + reference);
    }
  }
}
