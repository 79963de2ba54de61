package dev.mooring.sandbox.admission.policy;

import dev.cel.common.values.NullValue;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the parameters of policies, in the logical cluster of the policy. */
record Params(ShardStores stores, ResourceCatalog catalog) {
  private static final List<Object> NULL = List.of(NullValue.NULL_VALUE);

  /** What a binding is evaluated with. */
  sealed interface Found {
    /**
     * @param values as CEL values, one evaluation for each; null for no parameter; empty for no
     *     evaluation at all
     */
    record Values(List<Object> values) implements Found {}

    /** The binding cannot be evaluated; the failure policy decides. */
    record Misconfigured(String problem) implements Found {}
  }

  /** Empty if the cluster serves no such kind. */
  Optional<ResourceDefinition> resource(LogicalCluster cluster, ParamKind kind) {
    return catalog.ofKind(cluster, kind.group(), kind.version(), kind.kind());
  }

  /**
   * @param resource of the policy's kind; empty if the policy has none
   * @param namespace of the write; empty if it has none
   */
  Found of(
      LogicalCluster cluster,
      Optional<ResourceDefinition> resource,
      Optional<ParamRef> reference,
      String namespace) {
    if (resource.isEmpty() || reference.isEmpty()) {
      return new Found.Values(NULL);
    }
    ResourceDefinition definition = resource.get();
    ParamRef ref = reference.get();
    String place = ref.namespace();
    if (definition.namespaced() && place.isEmpty()) {
      if (namespace.isEmpty()) {
        return new Found.Misconfigured(
            "cannot use namespaced paramRef in policy binding that matches cluster-scoped"
                + " resources");
      }
      place = namespace;
    } else if (!definition.namespaced() && !place.isEmpty()) {
      return new Found.Misconfigured(
          "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
    }
    List<Object> values =
        objects(cluster, definition, ref, place).stream()
            .<Object>map(stored -> definition.converter().toServed(stored.object()).tree())
            .toList();
    return values.isEmpty() && ref.notFound() == ParamRef.NotFound.DENY
        ? new Found.Misconfigured(
            "no params found for policy binding with `Deny` parameterNotFoundAction")
        : new Found.Values(values);
  }

  private List<StoredObject> objects(
      LogicalCluster cluster, ResourceDefinition definition, ParamRef ref, String namespace) {
    if (ref.selector().isEmpty()) {
      return stores
          .of(cluster)
          .get(new StorageKey(definition.resourceKey(), cluster, namespace, ref.name()))
          .stream()
          .toList();
    }
    return stores.of(cluster).list(ListScope.of(definition.resourceKey(), cluster)).items().stream()
        .filter(stored -> stored.key().namespace().equals(namespace))
        .filter(stored -> ref.selector().get().matches(labels(stored)))
        .toList();
  }

  private static Map<String, String> labels(StoredObject stored) {
    KubeObject object = stored.object();
    return object.labels();
  }
}
