package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.kcp.decide.ExportReference;
import java.util.Optional;

/** Whoever makes an endpoint slice by hand needs the right to bind the export. */
final class EndpointSliceRule implements KcpRule {
  private final KcpLookups lookups;
  private final BindPermission permission;

  EndpointSliceRule(KcpLookups lookups, BindPermission permission) {
    this.lookups = lookups;
    this.permission = permission;
  }

  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() != Operation.CREATE) {
      return;
    }
    ExportReference reference = ExportReference.ofSlice(request.object().orElseThrow());
    Optional<LogicalCluster> provider = lookups.exportCluster(reference, request.cluster());
    if (provider.isEmpty()
        || lookups.export(reference, request.cluster()).isEmpty()
        || !permission.mayBind(request.user(), provider.get(), reference.name())) {
      throw ApiFailure.forbidden(
          request.definition().type(),
          request.object().orElseThrow().name(),
          "unable to create APIExportEndpointSlice: no permission to bind to export " + reference);
    }
  }
}
