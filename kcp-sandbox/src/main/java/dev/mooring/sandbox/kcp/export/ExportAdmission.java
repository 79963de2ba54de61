package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.json.KubeJson;
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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Requires an identity in claims to types that are not built in, and schemas that are named for
 * their resource. Annotations that carry what {@code v1alpha1} cannot express must fit its spec.
 */
public final class ExportAdmission implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() == Operation.DELETE) {
      return;
    }
    KubeObject export = request.object().orElseThrow();
    boolean old = export.text("apiVersion").equals(ApiExportConversion.V1ALPHA1);
    Optional<FieldError> error =
        old ? carried(export).or(() -> refused(upgraded(export))) : refused(export);
    if (error.isPresent()) {
      throw Refusal.of(request, error.get().toString());
    }
  }

  private static KubeObject upgraded(KubeObject export) {
    try {
      return ApiExportConversion.upgrade(export);
    } catch (IllegalArgumentException unreadable) {
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

  private static Optional<FieldError> carried(KubeObject export) {
    return checked(
            export, ApiExportConversion.RESOURCES, "resource schemas", ExportAdmission::duplicate)
        .or(() ->
            checked(
                export, ApiExportConversion.CLAIMS, "permission claims", ExportAdmission::unknown));
  }

  private static Optional<FieldError> checked(
      KubeObject export,
      String annotation,
      String what,
      BiFunction<KubeObject, List<Object>, Optional<String>> rule) {
    return export
        .annotation(annotation)
        .flatMap(text -> {
          Optional<String> complaint;
          try {
            complaint = rule.apply(export, Trees.listOrEmpty(KubeJson.read(text)));
          } catch (RuntimeException notJson) {
            complaint = Optional.of("failed to decode overhanging " + what);
          }
          return complaint.map(
              why -> FieldError.invalid("metadata.annotations[" + annotation + "]", text, why));
        });
  }

  private static Optional<String> duplicate(KubeObject export, List<Object> resources) {
    Set<Object> seen = new HashSet<>(export.list("spec", "latestResourceSchemas"));
    return resources.stream().allMatch(resource -> seen.add(Trees.text(resource, "schema")))
        ? Optional.empty()
        : Optional.of("duplicate resource schema");
  }

  private static Optional<String> unknown(KubeObject export, List<Object> claims) {
    Set<ClaimedResource> known = new HashSet<>();
    PermissionClaim.ofExport(export).forEach(claim -> known.add(claim.resource()));
    boolean fits =
        claims.stream().map(Trees::mapOrEmpty).map(ClaimedResource::of).allMatch(known::contains);
    return fits
        ? Optional.empty()
        : Optional.of(
            "permission claims defined in annotation do not match permission claims defined in"
                + " spec");
  }
}
