package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.Reinvocation;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.admission.policy.PolicyIndex.Bound;
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
 * Changes writes as the MutatingAdmissionPolicies say that bindings apply to them, one after the
 * other. For a bound resource the provider's policies count, as with webhooks.
 */
public final class MutatingPolicyAdmission implements AdmissionPlugin.Mutating, AutoCloseable {
  private final AdmissionContext contexts;
  private final Params params;
  private final PolicyIndex<MutatingPolicy> policies;

  /**
   * A policy that applies to a write.
   *
   * @param seen the resource in the version that the policy names
   * @param param as CEL value; null for none
   */
  private record Invocation(
      MutatingPolicy policy, PolicyBinding binding, ResourceDefinition seen, Object param) {
    Key key() {
      return new Key(
          policy.spec().name(),
          binding.name(),
          Trees.text(param, "metadata", "namespace"),
          Trees.text(param, "metadata", "name"));
    }
  }

  private record Key(String policy, String binding, String namespace, String param) {}

  /**
   * What went wrong with a policy.
   *
   * @param reason of the refusal's status
   */
  private record Problem(String message, String reason) {}

  public MutatingPolicyAdmission(ShardStores stores, AdmissionContext contexts) {
    this.contexts = contexts;
    this.params = new Params(stores, contexts.catalog());
    this.policies = new PolicyIndex<>(stores, "mutatingadmissionpolicy", MutatingPolicy::of);
  }

  @Override
  public String name() {
    return "MutatingAdmissionPolicy";
  }

  @Override
  public KubeObject mutate(
      AdmissionRequest request, Reinvocation reinvocation, Consumer<String> warnings) {
    KubeObject object = request.object().orElseThrow();
    List<Bound<MutatingPolicy>> bound = policies.of(contexts.origin(request));
    if (bound.isEmpty()) {
      return object;
    }
    Reinvocation.Steps steps = reinvocation.of(this);
    steps.begin(object);
    var problems = new ArrayList<Problem>();
    AdmissionRequest current = request;
    boolean touched = false;
    for (Invocation invocation : invocations(bound, request, problems)) {
      if (!applies(invocation, current, problems) || !steps.runs(invocation.key())) {
        continue;
      }
      AdmissionRequest changed = changed(invocation, current, problems);
      touched = true;
      if (!changed.object().equals(current.object())) {
        steps.changed();
      }
      if (invocation.policy().reinvoke() == MutatingPolicy.Reinvoke.IF_NEEDED) {
        steps.invoked(invocation.key());
      }
      current = changed;
    }
    if (touched) {
      // Kubernetes counts every evaluated policy as one that changed the object.
      steps.changed();
    }
    if (!problems.isEmpty()) {
      throw refusal(problems, request);
    }
    KubeObject result = current.object().orElseThrow();
    steps.end(result);
    return result;
  }

  /** All that match the write as it came. */
  private List<Invocation> invocations(
      List<Bound<MutatingPolicy>> bound, AdmissionRequest request, List<Problem> problems) {
    LogicalCluster origin = contexts.origin(request);
    MatchCriteria.MatchContext context = contexts.of(request);
    var invocations = new ArrayList<Invocation>();
    for (Bound<MutatingPolicy> each : bound) {
      PolicySpec spec = each.policy().spec();
      Optional<ResourceDefinition> seen = spec.constraints().match(request, context);
      if (seen.isEmpty()) {
        continue;
      }
      Optional<ResourceDefinition> paramResource =
          spec.paramKind().flatMap(kind -> params.resource(origin, kind));
      if (spec.paramKind().isPresent() && paramResource.isEmpty()) {
        String problem =
            "failed to configure policy: failed to find resource referenced by paramKind: '%s'"
                .formatted(spec.paramKind().get());
        add(
            problems,
            spec,
            "policy \"%s\" denied request: %s".formatted(spec.name(), problem),
            "Forbidden");
        continue;
      }
      for (PolicyBinding binding : each.bindings()) {
        if (!binding.covers(request, context)) {
          continue;
        }
        String namespace = MatchCriteria.namespaceFor(request);
        switch (params.of(origin, paramResource, binding.params(), namespace)) {
          case Params.Found.Misconfigured(var problem) ->
              add(
                  problems,
                  spec,
                  denied(spec, binding, "failed to configure binding: " + problem),
                  "Forbidden");
          case Params.Found.Values(var values) ->
              values.forEach(value ->
                  invocations.add(new Invocation(each.policy(), binding, seen.get(), value)));
        }
      }
    }
    return invocations;
  }

  private boolean applies(Invocation invocation, AdmissionRequest request, List<Problem> problems) {
    PolicySpec spec = invocation.policy().spec();
    if (spec.conditions().isEmpty()) {
      return true;
    }
    return switch (spec.conditions().evaluate(values(invocation, request))) {
      case MatchConditions.Outcome.Matches() -> true;
      case MatchConditions.Outcome.Differs() -> false;
      case MatchConditions.Outcome.Undecided(var problem) -> {
        add(problems, spec, denied(spec, invocation.binding(), problem), "Invalid");
        yield false;
      }
    };
  }

  private Map<String, Object> values(Invocation invocation, AdmissionRequest request) {
    return PolicyValues.of(
        new VersionedRequest(request, invocation.seen()),
        invocation.param(),
        contexts.authorizer(),
        contexts.namespace(request));
  }

  private AdmissionRequest changed(
      Invocation invocation, AdmissionRequest request, List<Problem> problems) {
    PolicySpec spec = invocation.policy().spec();
    AdmissionRequest current = request;
    for (Mutation mutation : invocation.policy().mutations()) {
      var write = new VersionedRequest(current, invocation.seen());
      try {
        KubeObject result =
            mutation.applied(
                write.object().orElseThrow(),
                spec.variables().values(values(invocation, current)),
                invocation.seen());
        current = current.withCompleted(write.inRequestVersion(result));
      } catch (MutationFailure e) {
        add(
            problems,
            spec,
            denied(spec, invocation.binding(), String.valueOf(e.getMessage())),
            "Invalid");
      }
    }
    return current;
  }

  private static String denied(PolicySpec spec, PolicyBinding binding, String problem) {
    return "policy '%s' with binding '%s' denied request: %s"
        .formatted(spec.name(), binding.name(), problem);
  }

  private static void add(List<Problem> problems, PolicySpec spec, String message, String reason) {
    if (spec.failurePolicy() == FailurePolicy.FAIL) {
      problems.add(new Problem(message, reason));
    }
  }

  private static ApiFailure refusal(List<Problem> problems, AdmissionRequest request) {
    ResourceType type = request.definition().type();
    String name = new VersionedRequest(request, request.definition()).name();
    var details = new LinkedHashMap<>(ApiFailure.details(type, name));
    details.put(
        "causes", problems.stream().map(problem -> Map.of("message", problem.message())).toList());
    Problem first = problems.getFirst();
    return ApiFailure.of(403, first.reason(), first.message(), details);
  }

  @Override
  public void close() {
    policies.close();
  }
}
