package dev.mooring.sandbox.kcp.claim;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.Reinvocation;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import java.util.function.Consumer;

/** The labels that make claimed objects visible to the providers that claim them. */
public record ClaimLabelAdmission(BindingIndex bindings) implements AdmissionPlugin.Mutating {
  @Override
  public String name() {
    return "apis.kcp.io/PermissionClaims";
  }

  @Override
  public KubeObject mutate(
      AdmissionRequest request, Reinvocation reinvocation, Consumer<String> warnings) {
    return ClaimLabels.labelled(
        request.object().orElseThrow(),
        request.definition().resourceKey(),
        bindings.of(request.cluster()).bindings());
  }
}
