package dev.mooring.sandbox.kcp.object;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ObjectAddress;
import dev.mooring.sandbox.storage.Premise;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreConflict;
import dev.mooring.sandbox.storage.StoredObject;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads and writes of kcp's own controllers, straight on the store: no admission, no authorization.
 * Keeps metadata as the write pipeline does: identity and times at create, generations of the spec,
 * deletion that waits for finalizers. Every write throws {@link StoreConflict} if what was read is
 * no longer stored; callers look again. Thread-safe.
 */
public final class SystemObjects {
  private final ResourceStore store;
  private final InstantSource clock;
  private final Supplier<String> uids;

  public SystemObjects(ResourceStore store, InstantSource clock, Supplier<String> uids) {
    this.store = store;
    this.clock = clock;
    this.uids = uids;
  }

  /** RFC 3339, whole seconds. */
  public String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  public Optional<StoredObject> get(Bucket bucket, LogicalCluster cluster, String name) {
    return store.get(new ObjectAddress(bucket, cluster, "", name)).map(SystemObjects::owned);
  }

  public Optional<StoredObject> get(
      Bucket bucket, LogicalCluster cluster, String namespace, String name) {
    return store.get(new ObjectAddress(bucket, cluster, namespace, name)).map(SystemObjects::owned);
  }

  public List<StoredObject> list(Bucket bucket, LogicalCluster cluster) {
    return store.list(ListScope.of(bucket, cluster)).items().stream()
        .map(SystemObjects::owned)
        .toList();
  }

  /** Nothing in between is the store's own business: only whether anything is there. */
  public boolean isEmpty(Bucket bucket, LogicalCluster cluster) {
    return store.list(ListScope.of(bucket, cluster)).items().isEmpty();
  }

  public List<StoredObject> everywhere(Bucket bucket) {
    return store.list(ListScope.everywhere(bucket)).items().stream()
        .map(SystemObjects::owned)
        .toList();
  }

  /** Also throws {@link StoreConflict} if the logical cluster is not there any more. */
  public StoredObject create(Bucket bucket, LogicalCluster cluster, KubeObject object) {
    KubeObject complete =
        object
            .with(uids.get(), "metadata", "uid")
            .with(now(), "metadata", "creationTimestamp")
            .with(cluster.name(), "metadata", "annotations", LogicalCluster.ANNOTATION);
    if (!bucket.group().isEmpty() && object.at("spec") != null) {
      complete = complete.with(1L, "metadata", "generation");
    }
    var address = new ObjectAddress(bucket, cluster, object.namespace(), object.name());
    List<Premise> premises =
        bucket.equals(KcpResources.LOGICAL_CLUSTERS)
            ? List.of()
            : KcpResources.logicalCluster(cluster).map(Premise::isThere).stream().toList();
    return owned(store.create(address, complete, premises));
  }

  /** Creates the object unless one of that name is there, or its logical cluster is gone. */
  public void ensure(Bucket bucket, LogicalCluster cluster, KubeObject object) {
    if (get(bucket, cluster, object.namespace(), object.name()).isPresent()) {
      return;
    }
    try {
      create(bucket, cluster, object);
    } catch (StoreConflict raced) {
      // Somebody else was quicker: there is one, as was asked, or no place for one.
    }
  }

  /**
   * Writes the object in place of the one that was read. If it is being deleted and its last
   * finalizer is gone, it goes.
   */
  public void update(StoredObject read, KubeObject after) {
    KubeObject before = read.object();
    KubeObject written = after;
    if (before.generation() > 0 && !before.map("spec").equals(after.map("spec"))) {
      written = after.with(before.generation() + 1, "metadata", "generation");
    }
    if (written.deleting() && written.finalizers().isEmpty()) {
      store.delete(read, written);
    } else {
      store.update(read, written);
    }
  }

  /**
   * Removes what was stored for a logical cluster that is gone, whatever finalizers it has: those
   * who would take them off have no way to it any more.
   */
  public void sweep(LogicalCluster cluster) {
    for (Bucket bucket : store.buckets()) {
      List<StoredObject> left = list(bucket, cluster);
      while (!left.isEmpty()) {
        left.forEach(this::remove);
        left = list(bucket, cluster);
      }
    }
  }

  private void remove(StoredObject read) {
    try {
      store.delete(read, read.object());
    } catch (StoreConflict changed) {
      // The next list shows it as it is then.
    }
  }

  /** Writes the object as it is given, even one that is being deleted and that nothing holds. */
  public void mark(StoredObject read, KubeObject after) {
    store.update(read, after);
  }

  /** Asks the object to go: at once, or once its finalizers are gone. */
  public void delete(StoredObject read) {
    KubeObject object = read.object();
    if (object.deleting()) {
      return;
    }
    KubeObject marked =
        object
            .with(now(), "metadata", "deletionTimestamp")
            .with(0L, "metadata", "deletionGracePeriodSeconds");
    if (object.finalizers().isEmpty()) {
      store.delete(read, marked);
    } else {
      KubeObject counted =
          object.generation() > 0
              ? marked.with(object.generation() + 1, "metadata", "generation")
              : marked;
      store.update(read, counted);
    }
  }

  /** With the annotation that says whose object it is: decisions rely on it. */
  private static StoredObject owned(StoredObject stored) {
    String cluster = stored.address().cluster().name();
    KubeObject object = stored.object();
    return object.annotation(LogicalCluster.ANNOTATION).filter(cluster::equals).isPresent()
        ? stored
        : new StoredObject(
            stored.address(),
            stored.version(),
            object.with(cluster, "metadata", "annotations", LogicalCluster.ANNOTATION));
  }
}
