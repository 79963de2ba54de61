package dev.mooring.sandbox.controller;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.Precondition;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads and writes of the server's own controllers, straight on the store: no admission, no
 * authorization. Keeps metadata as the write pipeline does: identity and times at create,
 * generations of the spec, deletion that waits for finalizers. Every write throws {@link
 * StoreConflict} if what was read is no longer stored; callers read again. Thread-safe.
 *
 * @param clusterObjects the object that represents a logical cluster, without which nothing is
 *     created in it; empty for those that have none
 */
public record LoopbackClient(
    ResourceStore store,
    InstantSource clock,
    Function<LogicalCluster, Optional<StorageKey>> clusterObjects) {
  /** RFC 3339, whole seconds. */
  public String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  public Optional<StoredObject> get(ResourceKey resourceKey, LogicalCluster cluster, String name) {
    return get(resourceKey, cluster, "", name);
  }

  public Optional<StoredObject> get(
      ResourceKey resourceKey, LogicalCluster cluster, String namespace, String name) {
    return store
        .get(new StorageKey(resourceKey, cluster, namespace, name))
        .map(LoopbackClient::owned);
  }

  public List<StoredObject> list(ResourceKey resourceKey, LogicalCluster cluster) {
    return list(ListScope.of(resourceKey, cluster));
  }

  public List<StoredObject> everywhere(ResourceKey resourceKey) {
    return list(ListScope.everywhere(resourceKey));
  }

  private List<StoredObject> list(ListScope scope) {
    return store.list(scope).items().stream().map(LoopbackClient::owned).toList();
  }

  /** Also throws {@link StoreConflict} if the logical cluster is not there any more. */
  public StoredObject create(ResourceKey resourceKey, LogicalCluster cluster, KubeObject object) {
    KubeObject complete =
        object
            .with(UUID.randomUUID().toString(), "metadata", "uid")
            .with(now(), "metadata", "creationTimestamp")
            .with(cluster.name(), "metadata", "annotations", LogicalCluster.ANNOTATION);
    if (!resourceKey.group().isEmpty() && object.at("spec") != null) {
      complete = complete.with(1L, "metadata", "generation");
    }
    var key = new StorageKey(resourceKey, cluster, object.namespace(), object.name());
    List<Precondition> preconditions =
        clusterObjects
            .apply(cluster)
            .filter(it -> !it.equals(key))
            .map(Precondition::exists)
            .stream()
            .toList();
    return owned(store.create(key, complete, preconditions));
  }

  /** Creates the object unless one of that name is there, or its logical cluster is gone. */
  public void ensure(ResourceKey resourceKey, LogicalCluster cluster, KubeObject object) {
    if (get(resourceKey, cluster, object.namespace(), object.name()).isPresent()) {
      return;
    }
    try {
      create(resourceKey, cluster, object);
    } catch (StoreConflict raced) {
      // Another writer has created it, or its logical cluster is gone.
    }
  }

  /**
   * Writes the object in place of the one that was read. If it is being deleted and its last
   * finalizer is gone, it goes.
   */
  public StoredObject update(StoredObject read, KubeObject after) {
    KubeObject before = read.object();
    KubeObject written = after;
    if (before.generation() > 0 && !before.map("spec").equals(after.map("spec"))) {
      written = after.with(before.generation() + 1, "metadata", "generation");
    }
    return written.deleting() && written.finalizers().isEmpty()
        ? store.delete(read, written)
        : store.update(read, written);
  }

  /**
   * Deletes everything that is stored for a deleted logical cluster, despite finalizers: their
   * owners can no longer reach it.
   */
  public void sweep(LogicalCluster cluster) {
    for (ResourceKey resourceKey : store.resourceKeys()) {
      List<StoredObject> left = list(resourceKey, cluster);
      while (!left.isEmpty()) {
        left.forEach(this::remove);
        left = list(resourceKey, cluster);
      }
    }
  }

  private void remove(StoredObject read) {
    try {
      store.delete(read, read.object());
    } catch (StoreConflict changed) {
      // The next list has the changed object.
    }
  }

  /** Stores the object as given, even a terminating one without finalizers. */
  public void mark(StoredObject read, KubeObject after) {
    store.update(read, after);
  }

  /** Deletes the object, or marks it as terminating if it has finalizers. */
  public void delete(StoredObject read) {
    KubeObject object = read.object();
    if (object.finalizers().isEmpty()) {
      store.delete(read, object);
    } else if (!object.deleting()) {
      KubeObject marked =
          object
              .with(now(), "metadata", "deletionTimestamp")
              .with(0L, "metadata", "deletionGracePeriodSeconds");
      store.update(
          read,
          object.generation() > 0
              ? marked.with(object.generation() + 1, "metadata", "generation")
              : marked);
    }
  }

  /** Adds the annotation that names the logical cluster; decisions read it. */
  private static StoredObject owned(StoredObject stored) {
    String cluster = stored.key().cluster().name();
    KubeObject object = stored.object();
    return object.annotation(LogicalCluster.ANNOTATION).filter(cluster::equals).isPresent()
        ? stored
        : new StoredObject(
            stored.key(),
            stored.version(),
            object.with(cluster, "metadata", "annotations", LogicalCluster.ANNOTATION));
  }
}
