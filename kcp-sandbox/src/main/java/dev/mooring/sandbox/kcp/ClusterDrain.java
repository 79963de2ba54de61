package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.ResourceCatalog;
import dev.mooring.sandbox.api.ResourceDefinition;
import dev.mooring.sandbox.kcp.decide.LogicalClusterPlanner.Content;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Empties a logical cluster that is being deleted: every object of every resource that it serves is
 * asked to go, and finalizers are respected. Namespaces are marked first, so that nothing is made
 * in them again, and go last.
 */
final class ClusterDrain {
  private final SystemObjects objects;
  private final ResourceCatalog catalog;

  /**
   * @param catalog of everything that is served, not only of kcp's own types
   */
  ClusterDrain(SystemObjects objects, ResourceCatalog catalog) {
    this.objects = objects;
    this.catalog = catalog;
  }

  /** Asks what is left to go, and says whether anything is left. */
  Content drain(LogicalCluster cluster) {
    boolean empty = true;
    for (StoredObject namespace : objects.list(KcpBuckets.NAMESPACES, cluster)) {
      markTerminating(namespace);
    }
    for (Bucket bucket : buckets(cluster)) {
      for (StoredObject object : objects.list(bucket, cluster)) {
        empty = false;
        attempt(object);
      }
    }
    if (!empty) {
      return Content.PRESENT;
    }
    for (StoredObject namespace : objects.list(KcpBuckets.NAMESPACES, cluster)) {
      remove(namespace);
    }
    return objects.isEmpty(KcpBuckets.NAMESPACES, cluster) ? Content.GONE : Content.PRESENT;
  }

  private Set<Bucket> buckets(LogicalCluster cluster) {
    Set<Bucket> buckets = new LinkedHashSet<>();
    for (ResourceDefinition definition : catalog.all(cluster)) {
      if (definition.computed().isEmpty()) {
        buckets.add(definition.bucket());
      }
    }
    buckets.remove(KcpBuckets.LOGICAL_CLUSTERS);
    buckets.remove(KcpBuckets.NAMESPACES);
    return buckets;
  }

  private void attempt(StoredObject object) {
    try {
      objects.delete(object);
    } catch (StoreConflict changed) {
      // It changed meanwhile; the next round sees it as it is then.
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
      // As above.
    }
  }

  private void remove(StoredObject namespace) {
    try {
      objects.update(namespace, namespace.object());
    } catch (StoreConflict changed) {
      // As above.
    }
  }
}
