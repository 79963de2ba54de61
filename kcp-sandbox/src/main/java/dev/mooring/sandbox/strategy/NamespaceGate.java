package dev.mooring.sandbox.strategy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.api.ResourceDefinition;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ObjectAddress;
import dev.mooring.sandbox.storage.ResourceStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lets nothing be created in a namespace that is not there or is going. */
final class NamespaceGate {
  static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  static final Bucket BUCKET = Bucket.of("", "namespaces");

  private final ResourceStore store;

  NamespaceGate(ResourceStore store) {
    this.store = store;
  }

  void check(ResourceDefinition definition, LogicalCluster cluster, String namespace, String name) {
    if (!definition.namespaced()) {
      return;
    }
    var found = store.get(new ObjectAddress(BUCKET, cluster, "", namespace));
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
