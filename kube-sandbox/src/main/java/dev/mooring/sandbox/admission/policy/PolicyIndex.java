package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.PerClusterCache;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ShardStores;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The policies of each logical cluster with their bindings, compiled. Policies without a binding
 * apply to nothing and are left out. Thread-safe.
 *
 * @param <P> a compiled policy
 */
final class PolicyIndex<P> implements AutoCloseable {
  static final String GROUP = "admissionregistration.k8s.io";

  private final ShardStores stores;
  private final ResourceKey policies;
  private final ResourceKey bindings;
  private final Function<KubeObject, P> compile;
  private final PerClusterCache<List<Bound<P>>> bound;

  /** A policy and where it applies. */
  record Bound<P>(P policy, List<PolicyBinding> bindings) {}

  /**
   * @param kind such as {@code validatingadmissionpolicy}
   */
  PolicyIndex(ShardStores stores, String kind, Function<KubeObject, P> compile) {
    this.stores = stores;
    this.policies = ResourceKey.of(GROUP, kind.replaceFirst("y$", "ies"));
    this.bindings = ResourceKey.of(GROUP, kind + "bindings");
    this.compile = compile;
    this.bound = new PerClusterCache<>(stores, List.of(policies, bindings), this::read);
  }

  /** In the order of the policies' names. */
  List<Bound<P>> of(LogicalCluster cluster) {
    return bound.of(cluster);
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
