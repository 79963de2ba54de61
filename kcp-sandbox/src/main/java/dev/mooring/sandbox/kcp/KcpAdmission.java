package dev.mooring.sandbox.kcp;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.admission.AdmissionResult;
import dev.mooring.sandbox.bound.BindingIndex;
import dev.mooring.sandbox.kcp.claim.ClaimLabels;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * kcp's own admission, ahead of everybody else's: defaults and rules of its types, and the labels
 * that make claimed objects visible to those who claim them.
 */
public final class KcpAdmission implements AdmissionChain {
  private final AdmissionChain next;
  private final Map<ResourceKey, ResourceAdmission> rules;
  private final BindingIndex bindings;

  /**
   * @param next sees the write after kcp has changed it, and before kcp checks it
   */
  KcpAdmission(
      AdmissionChain next, Map<ResourceKey, ResourceAdmission> rules, BindingIndex bindings) {
    this.next = next;
    this.rules = Map.copyOf(rules);
    this.bindings = bindings;
  }

  @Override
  public AdmissionResult mutate(AdmissionRequest request) {
    if (request.object().isEmpty()) {
      return next.mutate(request);
    }
    KubeObject object = request.object().get();
    ResourceAdmission rule = rules.get(request.definition().resourceKey());
    if (rule != null && request.subresource().isEmpty()) {
      object = rule.mutated(request, object);
    }
    AdmissionResult result = next.mutate(request.withObject(object));
    Optional<KubeObject> labelled =
        result
            .object()
            .map(after ->
                ClaimLabels.labelled(
                    after,
                    request.definition().resourceKey(),
                    bindings.of(request.cluster()).bindings()));
    return new AdmissionResult(labelled, result.warnings());
  }

  @Override
  public AdmissionResult validate(AdmissionRequest request) {
    ResourceAdmission rule = rules.get(request.definition().resourceKey());
    boolean whole = request.subresource().isEmpty();
    if (rule != null && (whole || request.operation() == Operation.DELETE)) {
      rule.check(request);
    }
    AdmissionResult result = next.validate(request);
    return new AdmissionResult(result.object(), List.copyOf(result.warnings()));
  }
}
