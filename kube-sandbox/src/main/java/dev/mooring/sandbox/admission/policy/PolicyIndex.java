package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.match.AdmissionContext;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.PerClusterCache;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The policies of each logical cluster with their bindings, compiled. Policies without a binding
 * apply to nothing and are left out. Thread-safe.
 *
 * @param <P> a compiled policy
 */
final class PolicyIndex<P extends PolicyIndex.Policy> implements AutoCloseable {
  private static final String GROUP = "admissionregistration.k8s.io";

  private final ShardStores stores;
  private final AdmissionContext contexts;
  private final Params params;
  private final ResourceKey policies;
  private final ResourceKey bindings;
  private final Function<KubeObject, P> compile;
  private final PerClusterCache<List<Bound<P>>> bound;

  /** A validating or mutating policy. */
  interface Policy {
    PolicySpec spec();
  }

  private record Bound<P>(P policy, List<PolicyBinding> bindings) {}

  /** A policy that a binding applies to a write. */
  sealed interface Match<P extends Policy> {
    P policy();

    /** Null where the policy itself is to blame. */
    @Nullable PolicyBinding binding();

    /** The policy and its binding, for refusals. */
    default String culprit() {
      PolicyBinding binding = binding();
      String policy = "'" + policy().spec().name() + "'";
      return binding == null ? policy : policy + " with binding '" + binding.name() + "'";
    }
  }

  /**
   * To be evaluated.
   *
   * @param seen the resource in the version that the policy names
   * @param param as CEL value; null for none
   */
  record Invocation<P extends Policy>(
      P policy, PolicyBinding binding, ResourceDefinition seen, Object param) implements Match<P> {
    /** As {@link PolicyValues#of}. */
    Map<String, Object> values(AdmissionRequest request, AdmissionContext contexts) {
      var write = new VersionedRequest(request, seen);
      return PolicyValues.of(write, param, contexts.authorizer(), contexts.namespace(request));
    }
  }

  /** Not to be evaluated; the failure policy decides. */
  record Misconfigured<P extends Policy>(P policy, @Nullable PolicyBinding binding, String problem)
      implements Match<P> {}

  /**
   * @param kind such as {@code validatingadmissionpolicy}
   */
  PolicyIndex(
      ShardStores stores, AdmissionContext contexts, String kind, Function<KubeObject, P> compile) {
    this.stores = stores;
    this.contexts = contexts;
    this.params = new Params(stores, contexts.catalog());
    this.policies = ResourceKey.of(GROUP, kind.replaceFirst("y$", "ies"));
    this.bindings = ResourceKey.of(GROUP, kind + "bindings");
    this.compile = compile;
    this.bound = new PerClusterCache<>(stores, List.of(policies, bindings), this::read);
  }

  /** In the order of the policies' names; one for each parameter. */
  List<Match<P>> match(AdmissionRequest request) {
    LogicalCluster origin = contexts.origin(request);
    MatchCriteria.MatchContext context = contexts.of(request);
    var matches = new ArrayList<Match<P>>();
    for (Bound<P> each : bound.of(origin)) {
      P policy = each.policy();
      Optional<ResourceDefinition> seen = policy.spec().constraints().match(request, context);
      if (seen.isEmpty()) {
        continue;
      }
      Object paramKind = policy.spec().paramKind();
      Optional<ResourceDefinition> paramResource =
          Optional.ofNullable(paramKind).flatMap(kind -> params.resource(origin, kind));
      if (paramKind != null && paramResource.isEmpty()) {
        matches.add(
            new Misconfigured<>(
                policy,
                null,
                "failed to configure policy: failed to find resource referenced by paramKind: '%s, Kind=%s'"
                    .formatted(
                        Trees.text(paramKind, "apiVersion"), Trees.text(paramKind, "kind"))));
        continue;
      }
      for (PolicyBinding binding : each.bindings()) {
        if (binding.covers(request, context)) {
          String namespace = MatchCriteria.namespaceFor(request);
          switch (params.of(origin, paramResource, binding.params(), namespace)) {
            case Params.Found.Misconfigured(var problem) ->
                matches.add(
                    new Misconfigured<>(
                        policy, binding, "failed to configure binding: " + problem));
            case Params.Found.Values(var values) ->
                values.forEach(
                    value -> matches.add(new Invocation<>(policy, binding, seen.get(), value)));
          }
        }
      }
    }
    return matches;
  }

  private List<Bound<P>> read(LogicalCluster cluster) {
    Map<String, List<PolicyBinding>> byPolicy = new LinkedHashMap<>();
    for (KubeObject object : objects(bindings, cluster)) {
      PolicyBinding binding = PolicyBinding.of(object);
      byPolicy.computeIfAbsent(binding.policy(), _ -> new ArrayList<>()).add(binding);
    }
    if (byPolicy.isEmpty()) {
      return List.of();
    }
    return objects(policies, cluster).stream()
        .filter(policy -> byPolicy.containsKey(policy.name()))
        .map(policy ->
            new Bound<>(
                compile.apply(policy),
                List.copyOf(byPolicy.getOrDefault(policy.name(), List.of()))))
        .toList();
  }

  private List<KubeObject> objects(ResourceKey resourceKey, LogicalCluster cluster) {
    return stores.of(cluster).list(ListScope.of(resourceKey, cluster)).objects();
  }

  @Override
  public void close() {
    bound.close();
  }
}
