package dev.mooring.sandbox.kcp.workspace;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.object.ContentDeletion;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.SystemObjects;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Empties a logical cluster that is being deleted: every object of every resource that it serves is
 * asked to go; admission may refuse it, and finalizers are respected. Namespaces are marked first,
 * so that nothing is made in them again. APIBindings go when nothing else is left but namespaces,
 * which go last.
 */
public final class ClusterDrain {
  private final SystemObjects objects;
  private final ResourceCatalog catalog;
  private final ContentDeletion deletion;

  /** What is left. */
  enum Left {
    NOTHING,
    /** What was asked to go and has not gone yet. */
    GOING,
    /** Among others what may not go. */
    REFUSED
  }

  /**
   * @param catalog of everything that is served, not only of kcp's own types
   */
  public ClusterDrain(SystemObjects objects, ResourceCatalog catalog, ContentDeletion deletion) {
    this.objects = objects;
    this.catalog = catalog;
    this.deletion = deletion;
  }

  /** Asks what is left to go, and says whether anything is left. */
  Left drain(LogicalCluster cluster) {
    for (StoredObject namespace : objects.list(KcpResources.NAMESPACES, cluster)) {
      markTerminating(namespace);
    }
    Map<ResourceKey, ResourceDefinition> content = content(cluster);
    // While it is there its resources are served, and whoever refuses their deletion is asked.
    ResourceDefinition bindings = content.remove(KcpResources.BINDINGS);
    Left left = Left.NOTHING;
    for (ResourceDefinition definition : content.values()) {
      left = worse(left, drain(definition, cluster));
    }
    if (left == Left.NOTHING && bindings != null) {
      left = drain(bindings, cluster);
    }
    if (left != Left.NOTHING) {
      return left;
    }
    for (StoredObject namespace : objects.list(KcpResources.NAMESPACES, cluster)) {
      remove(namespace);
    }
    return objects.isEmpty(KcpResources.NAMESPACES, cluster) ? Left.NOTHING : Left.GOING;
  }

  /** By where the objects are. */
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

  private Left drain(ResourceDefinition definition, LogicalCluster cluster) {
    List<StoredObject> there = objects.list(definition.resourceKey(), cluster);
    try {
      for (StoredObject object : there) {
        if (!object.object().deleting()) {
          deletion.delete(definition, object);
        }
      }
    } catch (ApiFailure refused) {
      // One refusal ends the request for all objects of a resource, and keeps no other resource.
      return Left.REFUSED;
    }
    return there.isEmpty() ? Left.NOTHING : Left.GOING;
  }

  private static Left worse(Left one, Left other) {
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
      // It changed meanwhile; the next round sees it as it is then.
    }
  }

  /** Finalizers that others have put into its spec are respected as those of its metadata. */
  private void remove(StoredObject namespace) {
    var held = new ArrayList<>(namespace.object().list("spec", "finalizers"));
    boolean ours = held.removeIf("kubernetes"::equals);
    try {
      if (held.isEmpty()) {
        objects.update(namespace, namespace.object());
      } else if (ours) {
        objects.mark(namespace, namespace.object().with(held, "spec", "finalizers"));
      }
    } catch (StoreConflict changed) {
      // As above.
    }
  }
}
