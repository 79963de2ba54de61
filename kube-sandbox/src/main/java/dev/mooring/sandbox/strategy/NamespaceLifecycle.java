package dev.mooring.sandbox.strategy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.Precondition;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets nothing be created in a namespace that is not there or is going, nor in a logical cluster
 * that has gone: what is created later than its place was last looked into would outlive it.
 *
 * @param clusterObjects the object that represents a logical cluster; empty for those that have
 *     none and never go
 */
record NamespaceLifecycle(
    ResourceStore store, Function<LogicalCluster, Optional<StorageKey>> clusterObjects) {
  static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  static final ResourceKey NAMESPACE_KEY = ResourceKey.of("", "namespaces");

  /**
   * What has to hold when an object is stored, however long its admission takes. As in kcp, the
   * administrators of a shard may create objects in a logical cluster that never was.
   */
  List<Precondition> preconditions(ResourceDefinition definition, WriteContext context) {
    var preconditions = new ArrayList<Precondition>();
    clusterObjects
        .apply(context.cluster())
        .filter(object ->
            !context.user().groups().contains(UserInfo.MASTERS) || store.get(object).isPresent())
        .map(Precondition::exists)
        .ifPresent(preconditions::add);
    if (definition.namespaced()) {
      preconditions.add(Precondition.isNotTerminating(key(context.cluster(), context.namespace())));
    }
    return preconditions;
  }

  private static StorageKey key(LogicalCluster cluster, String namespace) {
    return new StorageKey(NAMESPACE_KEY, cluster, "", namespace);
  }

  void check(ResourceDefinition definition, LogicalCluster cluster, String namespace, String name) {
    if (!definition.namespaced()) {
      return;
    }
    var found = store.get(key(cluster, namespace));
    if (found.isEmpty()) {
      throw ApiFailure.notFound(NAMESPACES, namespace);
    }
    if (found.get().object().deleting()) {
      Map<String, Object> details = ApiFailure.details(definition.type(), name);
      details.put(
          "causes",
          List.of(
              ApiFailure.cause(
                  "NamespaceTerminating",
                  "namespace " + namespace + " is being terminated",
                  "metadata.namespace")));
      throw ApiFailure.of(
          403,
          "Forbidden",
          ("%s \"%s\" is forbidden: unable to create new content in namespace %s "
                  + "because it is being terminated")
              .formatted(definition.type().qualified(), name, namespace),
          details);
    }
  }
}
