package dev.mooring.sandbox.kcp;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.Map;
import java.util.function.Consumer;

/** Defaults and rules of kcp's own types. */
final class KcpTypeAdmission implements AdmissionPlugin.Mutating, AdmissionPlugin.Validating {
  private static final ResourceAdmission NONE = new ResourceAdmission() {};

  private final Map<ResourceKey, ResourceAdmission> rules;

  KcpTypeAdmission(Map<ResourceKey, ResourceAdmission> rules) {
    this.rules = Map.copyOf(rules);
  }

  @Override
  public String name() {
    return "kcp types";
  }

  @Override
  public KubeObject mutate(AdmissionRequest request, Consumer<String> warnings) {
    KubeObject object = request.object().orElseThrow();
    return request.subresource().isEmpty() ? rule(request).mutated(request, object) : object;
  }

  @Override
  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    if (request.subresource().isEmpty() || request.operation() == Operation.DELETE) {
      rule(request).check(request);
    }
  }

  private ResourceAdmission rule(AdmissionRequest request) {
    return rules.getOrDefault(request.definition().resourceKey(), NONE);
  }
}
