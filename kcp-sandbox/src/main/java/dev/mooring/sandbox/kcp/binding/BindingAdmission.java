package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.kcp.api.decide.ApiExportConversion;
import dev.mooring.sandbox.kcp.claim.decide.ClaimSelector;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.Refusal;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.ReferencePermission;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Requires the right to bind the export, and labels the APIBinding with the hash of the export. */
public record BindingAdmission(ExportResolver exports, ReferencePermission permission)
    implements ResourceAdmission {
  @Override
  public KubeObject mutated(AdmissionRequest request, KubeObject object) {
    KubeObject mutated = filled(object);
    if (!object.deleting()) {
      mutated = mutated.withFinalizer(KcpNames.BINDING_FINALIZER);
    }
    ExportReference reference = ExportReference.ofBinding(object);
    return hasReference(object) && isToBeChecked(request, object)
        ? mutated.with(
            KcpHashes.export(provider(request, object), reference.name()),
            "metadata",
            "labels",
            KcpNames.BOUND_EXPORT)
        : mutated;
  }

  /**
   * kcp decodes the object into its own type, and writes that: required fields are never missing,
   * and empty ones that may be missing are.
   */
  private static KubeObject filled(KubeObject binding) {
    KubeObject filled = binding;
    if (hasReference(binding) && binding.at("spec", "reference", "export", "name") == null) {
      filled = filled.with("", "spec", "reference", "export", "name");
    }
    if (binding.at("spec", "permissionClaims") == null) {
      return filled;
    }
    List<Object> claims = binding.list("spec", "permissionClaims");
    if (claims.isEmpty()) {
      return filled.without("spec", "permissionClaims");
    }
    return binding.text("apiVersion").equals(ApiExportConversion.V1ALPHA1)
        ? filled
        : filled.with(
            claims.stream().map(BindingAdmission::filledClaim).toList(),
            "spec",
            "permissionClaims");
  }

  private static Map<String, Object> filledClaim(Object claim) {
    var filled = new LinkedHashMap<>(Trees.mapOrEmpty(claim));
    filled.putIfAbsent("selector", Map.of());
    filled.putIfAbsent("state", "");
    // That they are left out counts as a change of the claim, which has them by default.
    filled.remove("group", "");
    filled.remove("identityHash", "");
    return filled;
  }

  @Override
  public void check(AdmissionRequest request) {
    if (request.operation() == Operation.DELETE) {
      return;
    }
    KubeObject binding = request.object().orElseThrow();
    Refusal.ofAny(request, violations(request, binding));
    if (isToBeChecked(request, binding)
        && !permission.mayBind(
            request.user(),
            provider(request, binding),
            ExportReference.ofBinding(binding).name())) {
      throw denied(request, binding);
    }
  }

  private static boolean hasReference(KubeObject binding) {
    return binding.at("spec", "reference", "export") != null;
  }

  private static List<FieldError> violations(AdmissionRequest request, KubeObject binding) {
    var errors = new ArrayList<FieldError>();
    if (!hasReference(binding)) {
      errors.add(FieldError.required("spec.reference.export", ""));
    } else if (ExportReference.ofBinding(binding).name().isEmpty()) {
      errors.add(FieldError.required("spec.reference.export.name", ""));
    }
    if (!request.definition().type().apiVersion().equals(ApiExportConversion.V1ALPHA1)) {
      selectors(binding, errors);
    }
    return errors;
  }

  private static void selectors(KubeObject binding, List<FieldError> errors) {
    List<Object> claims = binding.list("spec", "permissionClaims");
    for (int index = 0; index < claims.size(); index++) {
      String field = "spec.permissionClaims[" + index + "].selector";
      ClaimSelector selector = ClaimSelector.ofClaim(claims.get(index));
      selector
          .contradictions()
          .forEach(part ->
              errors.add(
                  FieldError.invalidOmitted(
                      field + "." + part, part + " cannot be used with matchAll")));
      if (selector.isEmpty()) {
        errors.add(
            FieldError.required(
                field, "either one of matchAll, matchLabels, or matchExpressions must be set"));
      }
    }
  }

  private static boolean isToBeChecked(AdmissionRequest request, KubeObject object) {
    Optional<KubeObject> before = request.previous();
    return before.isEmpty()
        || !ExportReference.ofBinding(before.get()).equals(ExportReference.ofBinding(object))
        || !label(before.get()).equals(label(object));
  }

  private static Optional<String> label(KubeObject binding) {
    return Optional.ofNullable(binding.labels().get(KcpNames.BOUND_EXPORT));
  }

  /** The same denial if there is no such export: it does not reveal which workspaces exist. */
  private LogicalCluster provider(AdmissionRequest request, KubeObject binding) {
    return exports
        .bindableCluster(ExportReference.ofBinding(binding), request.cluster())
        .orElseThrow(() -> denied(request, binding));
  }

  private static ApiFailure denied(AdmissionRequest request, KubeObject binding) {
    return ApiFailure.forbidden(
        request.definition().type(),
        binding.name(),
        "unable to %s APIBinding: no permission to bind to export %s"
            .formatted(
                request.operation() == Operation.CREATE ? "create" : "update",
                ExportReference.ofBinding(binding)));
  }
}
