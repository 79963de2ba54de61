package dev.mooring.sandbox.strategy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.api.ResourceDefinition;
import dev.mooring.sandbox.api.WriteContext;
import dev.mooring.sandbox.security.UserInfo;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ObjectAddress;
import dev.mooring.sandbox.storage.Premise;
import dev.mooring.sandbox.storage.ResourceStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets nothing be created in a namespace that is not there or is going, nor in a logical cluster
 * that has gone: what is created later than its place was last looked into would outlive it.
 */
final class PlaceGate {
  static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  static final Bucket BUCKET = Bucket.of("", "namespaces");

  private final ResourceStore store;
  private final Function<LogicalCluster, Optional<ObjectAddress>> clusterObjects;

  /**
   * @param clusterObjects the object that stands for a logical cluster; empty for those that have
   *     none and never go
   */
  PlaceGate(ResourceStore store, Function<LogicalCluster, Optional<ObjectAddress>> clusterObjects) {
    this.store = store;
    this.clusterObjects = clusterObjects;
  }

  /**
   * What has to hold when an object is stored, however long its admission takes. As in kcp, the
   * administrators of a shard may create objects in a logical cluster that never was.
   */
  List<Premise> premises(ResourceDefinition definition, WriteContext context) {
    var premises = new ArrayList<Premise>();
    clusterObjects
        .apply(context.cluster())
        .filter(object ->
            !context.user().groups().contains(UserInfo.MASTERS) || store.get(object).isPresent())
        .map(Premise::isThere)
        .ifPresent(premises::add);
    if (definition.namespaced()) {
      premises.add(Premise.isThereToStay(address(context.cluster(), context.namespace())));
    }
    return premises;
  }

  private static ObjectAddress address(LogicalCluster cluster, String namespace) {
    return new ObjectAddress(BUCKET, cluster, "", namespace);
  }

  void check(ResourceDefinition definition, LogicalCluster cluster, String namespace, String name) {
    if (!definition.namespaced()) {
      return;
    }
    var found = store.get(address(cluster, namespace));
    if (found.isEmpty()) {
      throw ApiFailure.notFound(NAMESPACES, namespace);
    }
    if (found.get().object().deleting()) {
      Map<String, Object> details =
          new LinkedHashMap<>(ApiFailure.details(definition.type(), name));
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
          definition.type().qualified()
              + " \""
              + name
              + "\" is forbidden: unable to create new content in namespace "
              + namespace
              + " because it is being terminated",
          details);
    }
  }
}
