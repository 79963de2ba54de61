package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.claim.decide.BuiltInApis;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import java.util.List;

/** Requires an identity in claims to types that are not built in. */
public final class ExportAdmission implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() == Operation.DELETE) {
      return;
    }
    KubeObject export = request.object().orElseThrow();
    List<PermissionClaim> claims = PermissionClaim.ofExport(export);
    for (int i = 0; i < claims.size(); i++) {
      ClaimedResource claimed = claims.get(i).resource();
      if (claimed.identityHash().isEmpty() && !BuiltInApis.contain(claimed)) {
        throw ApiFailure.forbidden(
            request.definition().type(),
            export.name(),
            FieldError.invalid(
                    "spec.permissionClaims[" + i + "].identityHash",
                    "",
                    "identityHash is required for API types that are not built-in")
                .toString());
      }
    }
  }
}
