package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.admission.policy.PolicyIndex.Invocation;
import dev.mooring.sandbox.admission.policy.PolicyIndex.Match;
import dev.mooring.sandbox.admission.policy.PolicyIndex.Misconfigured;
import dev.mooring.sandbox.admission.policy.ValidatingPolicy.Violation;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private final PolicyIndex<ValidatingPolicy> policies;

  /**
   * A refusal.
   *
   * @param culprit the policy and, if it is to blame, its binding
   */
  private record Denial(String culprit, Violation violation) {}

  public PolicyAdmission(ShardStores stores, AdmissionContext contexts) {
    this.contexts = contexts;
    this.policies =
        new PolicyIndex<>(stores, contexts, "validatingadmissionpolicy", ValidatingPolicy::of);
  }

  @Override
  public String name() {
    return "ValidatingAdmissionPolicy";
  }

  @Override
  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    var denials = new ArrayList<Denial>();
    for (Match<ValidatingPolicy> match : policies.match(request)) {
      String culprit = match.culprit();
      List<Violation> denied =
          switch (match) {
            case Misconfigured<ValidatingPolicy> misconfigured ->
                match.policy().undecided(misconfigured.problem());
            case Invocation<ValidatingPolicy> invocation ->
                denied(judge(invocation, request), culprit, invocation.binding(), warnings);
          };
      denied.forEach(violation -> denials.add(new Denial(culprit, violation)));
    }
    if (!denials.isEmpty()) {
      throw refusal(denials.getFirst(), request);
    }
  }

  private List<Violation> judge(Invocation<ValidatingPolicy> invocation, AdmissionRequest request) {
    ValidatingPolicy policy = invocation.policy();
    Map<String, Object> values = invocation.values(request, contexts);
    return switch (policy.spec().conditions().evaluate(PolicyValues.forConditions(values))) {
      case MatchConditions.Outcome.Differs() -> List.of();
      case MatchConditions.Outcome.Undecided(var problem) -> policy.undecided(problem);
      case MatchConditions.Outcome.Matches() -> policy.judge(values);
    };
  }

  /** Takes the binding's actions, and returns what denies the write. */
  private static List<Violation> denied(
      List<Violation> violations,
      String culprit,
      PolicyBinding binding,
      Consumer<String> warnings) {
    if (binding.actions().contains("Warn")) {
      violations.forEach(violation ->
          warnings.accept(
              "Validation failed for ValidatingAdmissionPolicy %s: %s"
                  .formatted(culprit, violation.message())));
    }
    return binding.actions().contains("Deny") ? violations : List.of();
  }

  private static ApiFailure refusal(Denial denial, AdmissionRequest request) {
    String message =
        "ValidatingAdmissionPolicy %s denied request: %s"
            .formatted(denial.culprit(), denial.violation().message());
    ResourceType type = request.definition().type();
    String name = new VersionedRequest(request, request.definition()).name();
    var details = ApiFailure.details(type, name);
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
