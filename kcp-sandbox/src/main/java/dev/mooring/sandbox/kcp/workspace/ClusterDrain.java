package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.object.ContentDeletion;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.workspace.decide.ClusterContent;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Deletes the content of a terminating logical cluster. Admission may deny a deletion, and
 * finalizers are respected. Namespaces are marked as terminating first, so that they accept no new
 * objects; the namespace controller removes them. APIBindings are deleted after all other objects.
 * Cluster roles and their bindings stay as long as the cluster: they let people and terminators in.
 *
 * @param catalog of everything that is served, not only of kcp's own types
 */
public record ClusterDrain(
    LoopbackClient objects, ResourceCatalog catalog, ContentDeletion deletion) {
  private static final Set<ResourceKey> KEPT =
      Set.of(
          KcpResources.LOGICAL_CLUSTERS,
          KcpResources.NAMESPACES,
          KcpResources.ROLES,
          KcpResources.ROLE_BINDINGS);

  /** Deletes what can be deleted, and returns what remains. */
  ClusterContent drain(LogicalCluster cluster) {
    for (StoredObject namespace : objects.list(KcpResources.NAMESPACES, cluster)) {
      markTerminating(namespace);
    }
    var left = new Left();
    left.add(KcpResources.NAMESPACES, objects.list(KcpResources.NAMESPACES, cluster));
    Map<ResourceKey, ResourceDefinition> content = content(cluster);
    // A binding serves the resources whose deletion admission decides on.
    ResourceDefinition bindings = content.remove(KcpResources.BINDINGS);
    for (ResourceDefinition definition : content.values()) {
      drain(definition, cluster, left);
    }
    if (left.objects == 0 && bindings != null) {
      drain(bindings, cluster, left);
    }
    return left.content();
  }

  /** Counts what is left. */
  private static final class Left {
    private final TreeMap<String, Integer> resources = new TreeMap<>();
    private final TreeMap<String, Integer> finalizers = new TreeMap<>();
    private Optional<String> refusal = Optional.empty();
    private int objects;

    private void add(ResourceKey resourceKey, List<StoredObject> left) {
      objects += left.size();
      if (left.isEmpty()) {
        return;
      }
      resources.put(resourceKey.resource() + "." + resourceKey.group(), left.size());
      for (StoredObject object : left) {
        object.object().finalizers().forEach(it -> finalizers.merge(it, 1, Integer::sum));
      }
    }

    private ClusterContent content() {
      return new ClusterContent(
          objects == 0 ? ClusterContent.State.GONE : ClusterContent.State.PRESENT,
          resources,
          finalizers,
          refusal);
    }
  }

  /** The definitions of all stored resources, by resource. */
  private Map<ResourceKey, ResourceDefinition> content(LogicalCluster cluster) {
    var content = new LinkedHashMap<ResourceKey, ResourceDefinition>();
    for (ResourceDefinition definition : catalog.all(cluster)) {
      if (definition.computed().isEmpty() && definition.verbs().contains(Verb.DELETE)) {
        content.putIfAbsent(definition.resourceKey(), definition);
      }
    }
    content.keySet().removeAll(KEPT);
    return content;
  }

  private void drain(ResourceDefinition definition, LogicalCluster cluster, Left left) {
    List<StoredObject> there = objects.list(definition.resourceKey(), cluster);
    try {
      for (StoredObject object : there) {
        if (!object.object().deleting()) {
          deletion.delete(definition, object);
        }
      }
    } catch (ApiFailure refused) {
      // A denial ends the deletion of this resource only.
      left.refusal = Optional.of(String.valueOf(refused.getMessage()));
    }
    List<StoredObject> remaining =
        there.isEmpty() ? there : objects.list(definition.resourceKey(), cluster);
    // kcp leaves namespaced objects to their namespaces, and bound ones to their APIBindings.
    boolean counted = !definition.namespaced() && definition.resourceKey().identity().isEmpty();
    if (counted) {
      left.add(definition.resourceKey(), remaining);
    } else {
      left.objects += remaining.size();
    }
  }

  private void markTerminating(StoredObject namespace) {
    if (namespace.object().deleting()) {
      return;
    }
    try {
      objects.mark(
          namespace,
          namespace
              .object()
              .with(objects.now(), "metadata", "deletionTimestamp")
              .with("Terminating", "status", "phase"));
    } catch (StoreConflict changed) {
      // The next round reads the changed namespace.
    }
  }
}
