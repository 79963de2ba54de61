package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.object.ContentDeletion;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Deletes the content of a terminating logical cluster. Admission may deny a deletion, and
 * finalizers are respected. Namespaces are marked as terminating first, so that they accept no new
 * objects; the namespace controller removes them. APIBindings are deleted after all other objects.
 *
 * @param catalog of everything that is served, not only of kcp's own types
 */
public record ClusterDrain(
    SystemObjects objects, ResourceCatalog catalog, ContentDeletion deletion) {
  /** What remains. */
  enum Remaining {
    NONE,
    /** Terminating objects. */
    TERMINATING,
    /** Also objects whose deletion is denied. */
    DENIED
  }

  /** Deletes what can be deleted, and returns what remains. */
  Remaining drain(LogicalCluster cluster) {
    for (StoredObject namespace : objects.list(KcpResources.NAMESPACES, cluster)) {
      markTerminating(namespace);
    }
    Map<ResourceKey, ResourceDefinition> content = content(cluster);
    // A binding serves the resources whose deletion admission decides on.
    ResourceDefinition bindings = content.remove(KcpResources.BINDINGS);
    Remaining remaining = Remaining.NONE;
    for (ResourceDefinition definition : content.values()) {
      remaining = worse(remaining, drain(definition, cluster));
    }
    if (remaining == Remaining.NONE && bindings != null) {
      remaining = drain(bindings, cluster);
    }
    return remaining == Remaining.NONE && !objects.isEmpty(KcpResources.NAMESPACES, cluster)
        ? Remaining.TERMINATING
        : remaining;
  }

  /** The definitions of all stored resources, by resource. */
  private Map<ResourceKey, ResourceDefinition> content(LogicalCluster cluster) {
    var content = new LinkedHashMap<ResourceKey, ResourceDefinition>();
    for (ResourceDefinition definition : catalog.all(cluster)) {
      if (definition.computed().isEmpty() && definition.verbs().contains(Verb.DELETE)) {
        content.putIfAbsent(definition.resourceKey(), definition);
      }
    }
    content.remove(KcpResources.LOGICAL_CLUSTERS);
    content.remove(KcpResources.NAMESPACES);
    return content;
  }

  private Remaining drain(ResourceDefinition definition, LogicalCluster cluster) {
    List<StoredObject> there = objects.list(definition.resourceKey(), cluster);
    try {
      for (StoredObject object : there) {
        if (!object.object().deleting()) {
          deletion.delete(definition, object);
        }
      }
    } catch (ApiFailure refused) {
      // A denial ends the deletion of this resource only.
      return Remaining.DENIED;
    }
    return there.isEmpty() ? Remaining.NONE : Remaining.TERMINATING;
  }

  private static Remaining worse(Remaining one, Remaining other) {
    return one.compareTo(other) >= 0 ? one : other;
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
