package dev.mooring.sandbox.kcp;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.admission.Reinvocation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import dev.mooring.sandbox.kcp.object.decide.GoConversion;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Defaults and rules of kcp's own types. */
final class KcpTypeAdmission implements AdmissionPlugin.Mutating, AdmissionPlugin.Validating {
  /** Types that kcp reads into its own. */
  private static final Set<ResourceKey> READ =
      Set.of(KcpResources.WORKSPACES, KcpResources.LOGICAL_CLUSTERS, KcpResources.BINDINGS);

  private final Map<ResourceKey, List<ResourceAdmission>> rules;

  private final ResourceAdmission paths;

  /**
   * @param paths corrects the path annotation of any object that has one
   */
  KcpTypeAdmission(Map<ResourceKey, List<ResourceAdmission>> rules, ResourceAdmission paths) {
    this.paths = paths;
    this.rules = Map.copyOf(rules);
  }

  @Override
  public String name() {
    return "kcp types";
  }

  @Override
  public KubeObject mutate(
      AdmissionRequest request, Reinvocation reinvocation, Consumer<String> warnings) {
    KubeObject object = request.object().orElseThrow();
    if (request.subresource().isEmpty()) {
      requireReadable(request, object);
      boolean named = object.annotation(KcpNames.PATH).isPresent();
      if (named && !request.definition().resourceKey().equals(KcpResources.LOGICAL_CLUSTERS)) {
        object = paths.mutated(request, object);
      }
      for (ResourceAdmission rule : rules(request)) {
        object = rule.mutated(request, object);
      }
    }
    return object;
  }

  private static void requireReadable(AdmissionRequest request, KubeObject object) {
    if (READ.contains(request.definition().resourceKey())
        && !GoConversion.fits(request.definition().schema(), object.tree())) {
      throw ApiFailure.of(
          500, "", "a field of the %s has a value of a wrong type".formatted(object.kind()), null);
    }
  }

  @Override
  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    if (request.subresource().isEmpty() || request.operation() == Operation.DELETE) {
      rules(request).forEach(rule -> rule.check(request));
    } else if (request.subresource().equals("status")) {
      rules(request).forEach(rule -> rule.checkStatus(request));
    }
  }

  private List<ResourceAdmission> rules(AdmissionRequest request) {
    return rules.getOrDefault(request.definition().resourceKey(), List.of());
  }
}
