package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.admission.policy.PolicyIndex.Bound;
import dev.mooring.sandbox.admission.policy.ValidatingPolicy.Verdict;
import dev.mooring.sandbox.admission.policy.ValidatingPolicy.Violation;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks writes against the ValidatingAdmissionPolicies that bindings apply to them. For a bound
 * resource the provider's policies count, as with webhooks. All policies are asked; the first
 * denial counts.
 */
public final class PolicyAdmission implements AdmissionPlugin.Validating, AutoCloseable {
  // Codes of the reasons that a validation may give; others are not accepted at write.
  private static final Map<String, Integer> CODES =
      Map.of("Forbidden", 403, "RequestEntityTooLarge", 413, "Invalid", 422);

  private final AdmissionContext contexts;
  private final Params params;
  private final PolicyIndex<ValidatingPolicy> policies;

  /**
   * A refusal.
   *
   * @param culprit the policy and, if it is to blame, its binding
   */
  private record Denial(String culprit, Violation violation) {}

  public PolicyAdmission(ShardStores stores, AdmissionContext contexts) {
    this.contexts = contexts;
    this.params = new Params(stores, contexts.catalog());
    this.policies = new PolicyIndex<>(stores, "validatingadmissionpolicy", ValidatingPolicy::of);
  }

  @Override
  public String name() {
    return "ValidatingAdmissionPolicy";
  }

  @Override
  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    LogicalCluster origin = contexts.origin(request);
    var denials = new ArrayList<Denial>();
    for (Bound<ValidatingPolicy> bound : policies.of(origin)) {
      review(bound, origin, request, warnings, denials);
    }
    if (!denials.isEmpty()) {
      throw refusal(denials.getFirst(), request);
    }
  }

  private void review(
      Bound<ValidatingPolicy> bound,
      LogicalCluster origin,
      AdmissionRequest request,
      Consumer<String> warnings,
      List<Denial> denials) {
    PolicySpec spec = bound.policy().spec();
    MatchCriteria.MatchContext context = contexts.of(request);
    Optional<ResourceDefinition> seen = spec.constraints().match(request, context);
    if (seen.isEmpty()) {
      return;
    }
    Optional<ResourceDefinition> paramResource =
        spec.paramKind().flatMap(kind -> params.resource(origin, kind));
    if (spec.paramKind().isPresent() && paramResource.isEmpty()) {
      bound
          .policy()
          .undecided(
              "failed to configure policy: failed to find resource referenced by paramKind: '%s'"
                  .formatted(spec.paramKind().get()))
          .violations()
          .forEach(violation -> denials.add(new Denial("'" + spec.name() + "'", violation)));
      return;
    }
    for (PolicyBinding binding : bound.bindings()) {
      if (!binding.covers(request, context)) {
        continue;
      }
      String culprit = "'%s' with binding '%s'".formatted(spec.name(), binding.name());
      String namespace = MatchCriteria.namespaceFor(request);
      switch (params.of(origin, paramResource, binding.params(), namespace)) {
        case Params.Found.Misconfigured(var problem) ->
            bound
                .policy()
                .undecided("failed to configure binding: " + problem)
                .violations()
                .forEach(violation -> denials.add(new Denial(culprit, violation)));
        case Params.Found.Values(var values) -> {
          var write = new VersionedRequest(request, seen.get());
          for (Object value : values) {
            act(judge(bound.policy(), write, value), culprit, binding, warnings, denials);
          }
        }
      }
    }
  }

  private Verdict judge(ValidatingPolicy policy, VersionedRequest write, Object param) {
    Map<String, Object> values =
        PolicyValues.of(write, param, contexts.authorizer(), contexts.namespace(write.request()));
    return switch (policy.spec().conditions().evaluate(PolicyValues.forConditions(values))) {
      case MatchConditions.Outcome.Differs() -> Verdict.FINE;
      case MatchConditions.Outcome.Undecided(var problem) -> policy.undecided(problem);
      case MatchConditions.Outcome.Matches() -> policy.judge(values);
    };
  }

  private static void act(
      Verdict verdict,
      String culprit,
      PolicyBinding binding,
      Consumer<String> warnings,
      List<Denial> denials) {
    for (Violation violation : verdict.violations()) {
      if (binding.actions().contains("Deny")) {
        denials.add(new Denial(culprit, violation));
      }
      if (binding.actions().contains("Warn")) {
        warnings.accept(
            "Validation failed for ValidatingAdmissionPolicy %s: %s"
                .formatted(culprit, violation.message()));
      }
    }
    verdict.denials().forEach(violation -> denials.add(new Denial(culprit, violation)));
  }

  private static ApiFailure refusal(Denial denial, AdmissionRequest request) {
    String message =
        "ValidatingAdmissionPolicy %s denied request: %s"
            .formatted(denial.culprit(), denial.violation().message());
    ResourceType type = request.definition().type();
    String name = new VersionedRequest(request, request.definition()).name();
    var details = new LinkedHashMap<>(ApiFailure.details(type, name));
    details.put("causes", List.of(Map.of("message", message)));
    String reason = denial.violation().reason();
    return ApiFailure.of(
        CODES.getOrDefault(reason, 422),
        reason,
        name.isEmpty()
            ? "%s is forbidden: %s".formatted(type.qualified(), message)
            : "%s \"%s\" is forbidden: %s".formatted(type.qualified(), name, message),
        details);
  }

  @Override
  public void close() {
    policies.close();
  }
}
