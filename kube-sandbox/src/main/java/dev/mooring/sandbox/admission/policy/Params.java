package dev.mooring.sandbox.admission.policy;

import dev.cel.common.values.NullValue;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.selector.LabelSelector;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
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

  /**
   * A {@code paramRef}.
   *
   * @param namespace empty for that of the write
   * @param selector empty for the parameter of the name
   * @param required whether the binding is misconfigured without parameters
   */
  record Reference(
      String name, String namespace, Optional<LabelSelector> selector, boolean required) {
    static Reference of(Object tree) {
      return new Reference(
          Trees.text(tree, "name"),
          Trees.text(tree, "namespace"),
          Optional.ofNullable(Trees.at(tree, "selector")).map(LabelSelector::of),
          Trees.text(tree, "parameterNotFoundAction").equals("Deny"));
    }
  }

  /** Empty if the cluster serves no such kind. */
  Optional<ResourceDefinition> resource(LogicalCluster cluster, Object kind) {
    String apiVersion = Trees.text(kind, "apiVersion");
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    return catalog.ofKind(
        cluster, group, apiVersion.substring(slash + 1), Trees.text(kind, "kind"));
  }

  /**
   * @param resource of the policy's kind; empty if the policy has none
   * @param named by the binding; empty if it names no parameters
   * @param namespace of the write; empty if it has none
   */
  Found of(
      LogicalCluster cluster,
      Optional<ResourceDefinition> resource,
      Optional<Reference> named,
      String namespace) {
    if (resource.isEmpty() || named.isEmpty()) {
      return new Found.Values(NULL);
    }
    ResourceDefinition definition = resource.get();
    Reference reference = named.get();
    String place = reference.namespace();
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
        objects(cluster, definition, reference, place).stream()
            .<Object>map(stored -> definition.converter().toServed(stored.object()).tree())
            .toList();
    return values.isEmpty() && reference.required()
        ? new Found.Misconfigured(
            "no params found for policy binding with `Deny` parameterNotFoundAction")
        : new Found.Values(values);
  }

  private List<StoredObject> objects(
      LogicalCluster cluster,
      ResourceDefinition definition,
      Reference reference,
      String namespace) {
    ResourceStore store = stores.of(cluster);
    if (reference.selector().isEmpty()) {
      var key = new StorageKey(definition.resourceKey(), cluster, namespace, reference.name());
      return store.get(key).stream().toList();
    }
    return store.list(ListScope.of(definition.resourceKey(), cluster)).items().stream()
        .filter(stored -> stored.key().namespace().equals(namespace))
        .filter(stored -> reference.selector().get().matches(stored.labels()))
        .toList();
  }
}
