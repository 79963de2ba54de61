package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.Reinvocation;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.admission.policy.PolicyIndex.Invocation;
import dev.mooring.sandbox.admission.policy.PolicyIndex.Match;
import dev.mooring.sandbox.admission.policy.PolicyIndex.Misconfigured;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Changes writes as the MutatingAdmissionPolicies say that bindings apply to them, one after the
 * other. For a bound resource the provider's policies count, as with webhooks.
 */
public final class MutatingPolicyAdmission implements AdmissionPlugin.Mutating, AutoCloseable {
  private final AdmissionContext contexts;
  private final PolicyIndex<MutatingPolicy> policies;

  /**
   * A MutatingAdmissionPolicy, compiled.
   *
   * @param reinvoked whether the policy runs again when the object is changed after it
   */
  private record MutatingPolicy(PolicySpec spec, List<Mutation> mutations, boolean reinvoked)
      implements PolicyIndex.Policy {

    static MutatingPolicy of(KubeObject policy) {
      PolicySpec spec = PolicySpec.of(policy);
      return new MutatingPolicy(
          spec,
          policy.list("spec", "mutations").stream()
              .map(mutation -> Mutation.of(mutation, spec.environment()))
              .toList(),
          policy.text("spec", "reinvocationPolicy").equals("IfNeeded"));
    }
  }

  /** Tells invocations apart. */
  private record Key(String policy, String binding, String namespace, String param) {
    static Key of(Invocation<MutatingPolicy> invocation) {
      return new Key(
          invocation.policy().spec().name(),
          invocation.binding().name(),
          Trees.text(invocation.param(), "metadata", "namespace"),
          Trees.text(invocation.param(), "metadata", "name"));
    }
  }

  /** What went wrong with the policies that must not fail. */
  private static final class Problems {
    private final List<Object> causes = new ArrayList<>();
    private String firstMessage = "";
    private String firstReason = "";

    /**
     * @param reason of the refusal's status
     */
    void add(Match<MutatingPolicy> match, String problem, String reason) {
      if (match.policy().spec().ignoresFailures()) {
        return;
      }
      String message = "policy %s denied request: %s".formatted(match.culprit(), problem);
      if (causes.isEmpty()) {
        firstMessage = message;
        firstReason = reason;
      }
      causes.add(Map.of("message", message));
    }

    void throwIfAny(AdmissionRequest request) {
      if (!causes.isEmpty()) {
        ResourceType type = request.definition().type();
        String name = new VersionedRequest(request, request.definition()).name();
        var details = ApiFailure.details(type, name);
        details.put("causes", causes);
        throw ApiFailure.of(403, firstReason, firstMessage, details);
      }
    }
  }

  public MutatingPolicyAdmission(ShardStores stores, AdmissionContext contexts) {
    this.contexts = contexts;
    this.policies =
        new PolicyIndex<>(stores, contexts, "mutatingadmissionpolicy", MutatingPolicy::of);
  }

  @Override
  public String name() {
    return "MutatingAdmissionPolicy";
  }

  @Override
  public KubeObject mutate(
      AdmissionRequest request, Reinvocation reinvocation, Consumer<String> warnings) {
    KubeObject object = request.object().orElseThrow();
    List<Match<MutatingPolicy>> matches = policies.match(request);
    if (matches.isEmpty()) {
      return object;
    }
    Reinvocation.Steps steps = reinvocation.of(this);
    steps.begin(object);
    var problems = new Problems();
    AdmissionRequest current = request;
    for (Match<MutatingPolicy> match : matches) {
      if (match instanceof Misconfigured<MutatingPolicy> misconfigured) {
        problems.add(match, misconfigured.problem(), "Forbidden");
      }
    }
    for (Match<MutatingPolicy> match : matches) {
      if (match instanceof Invocation<MutatingPolicy> invocation
          && applies(invocation, current, problems)
          && steps.runs(Key.of(invocation))) {
        current = changed(invocation, current, problems);
        if (invocation.policy().reinvoked()) {
          steps.invoked(Key.of(invocation));
        }
        // Kubernetes counts every evaluated policy as one that changed the object.
        steps.changed();
      }
    }
    problems.throwIfAny(request);
    KubeObject result = current.object().orElseThrow();
    steps.end(result);
    return result;
  }

  private boolean applies(
      Invocation<MutatingPolicy> invocation, AdmissionRequest request, Problems problems) {
    MatchConditions conditions = invocation.policy().spec().conditions();
    if (conditions.isEmpty()) {
      return true;
    }
    return switch (conditions.evaluate(invocation.values(request, contexts))) {
      case MatchConditions.Outcome.Matches() -> true;
      case MatchConditions.Outcome.Differs() -> false;
      case MatchConditions.Outcome.Undecided(var problem) -> {
        problems.add(invocation, problem, "Invalid");
        yield false;
      }
    };
  }

  private AdmissionRequest changed(
      Invocation<MutatingPolicy> invocation, AdmissionRequest request, Problems problems) {
    AdmissionRequest current = request;
    for (Mutation mutation : invocation.policy().mutations()) {
      var write = new VersionedRequest(current, invocation.seen());
      try {
        KubeObject result =
            mutation.applied(
                write.object().orElseThrow(),
                invocation.policy().spec().variables().values(invocation.values(current, contexts)),
                invocation.seen());
        current = current.withCompleted(write.inRequestVersion(result));
      } catch (MutationFailure e) {
        problems.add(invocation, String.valueOf(e.getMessage()), "Invalid");
      }
    }
    return current;
  }

  @Override
  public void close() {
    policies.close();
  }
}
