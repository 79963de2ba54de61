package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.api.decide.ApiExportConversion;
import dev.mooring.sandbox.kcp.claim.decide.BuiltInApis;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.claim.decide.PermissionClaim;
import dev.mooring.sandbox.kcp.object.Refusal;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import java.util.List;
import java.util.Optional;

/**
 * Requires an identity in claims to types that are not built in, and schemas that are named for
 * their resource.
 */
public final class ExportAdmission implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() == Operation.DELETE) {
      return;
    }
    KubeObject export = request.object().orElseThrow();
    boolean old = export.text("apiVersion").equals(ApiExportConversion.V1ALPHA1);
    Optional<FieldError> error = refused(old ? upgraded(export) : export);
    if (error.isPresent()) {
      throw Refusal.of(request, error.get().toString());
    }
  }

  private static KubeObject upgraded(KubeObject export) {
    try {
      return ApiExportConversion.upgrade(export);
    } catch (IllegalArgumentException | MalformedJson unreadable) {
      throw ApiFailure.of(
          500,
          "",
          "failed to convert v1alpha1 APIExport to v1alpha2: " + unreadable.getMessage(),
          null);
    }
  }

  private static Optional<FieldError> refused(KubeObject export) {
    List<PermissionClaim> claims = PermissionClaim.ofExport(export);
    for (int i = 0; i < claims.size(); i++) {
      ClaimedResource claimed = claims.get(i).resource();
      if (claimed.identityHash().isEmpty() && !BuiltInApis.contain(claimed)) {
        return Optional.of(
            FieldError.invalid(
                "spec.permissionClaims[" + i + "].identityHash",
                "",
                "identityHash is required for API types that are not built-in"));
      }
    }
    List<Object> resources = export.list("spec", "resources");
    for (int i = 0; i < resources.size(); i++) {
      String group = Trees.text(resources.get(i), "group");
      String suffix =
          "." + Trees.text(resources.get(i), "name") + "." + (group.isEmpty() ? "core" : group);
      String schema = Trees.text(resources.get(i), "schema");
      if (!schema.endsWith(suffix)) {
        return Optional.of(
            FieldError.invalid(
                "spec.resources[" + i + "].schema", schema, "must end in " + suffix));
      }
    }
    return Optional.empty();
  }
}
