package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Copies what a shard shares to the cache server: for each logical cluster of the shard that
 * changes, the replicas are brought in line with what {@link ReplicationRules} select.
 * Asynchronous. Stops while the shard is down: its replicas stay. Waits while the cache server is.
 */
public final class Replication implements Reconciler<LogicalCluster>, AutoCloseable {
  /** On a replica: whose it is. */
  private static final String SHARD = "kcp.io/shard";

  private static final String ORIGINAL_VERSION = "cache.kcp.io/original-resource-version";
  private static final String ORIGINAL_UID = "cache.kcp.io/original-resource-UID";
  private static final Next SETTLED = new Next.OnEvent();

  private final ResourceStore own;
  private final String shard;
  private final ResourceStore replicas;
  private final Semaphore writers;
  private final Controller<LogicalCluster> controller;

  private Replication(ResourceStore own, String shard, ResourceStore replicas, Semaphore writers) {
    this.own = own;
    this.shard = shard;
    this.replicas = replicas;
    this.writers = writers;
    this.controller =
        Controller.start(
            "replication",
            own,
            ReplicationRules.ALL.stream().map(Replication::source).toList(),
            this);
  }

  /**
   * @param own objects of the shard
   * @param replicas of all shards
   * @param writers has no permit while the cache server is down: writes then wait
   */
  public static Replication start(
      ResourceStore own, String shard, ResourceStore replicas, Semaphore writers) {
    var replication = new Replication(own, shard, replicas, writers);
    replication.enqueueReplicated();
    return replication;
  }

  /** What was deleted last before the shard went down makes no event. */
  private void enqueueReplicated() {
    for (ResourceKey resourceKey : ReplicationRules.ALL) {
      for (StoredObject replica : replicas.list(ListScope.everywhere(resourceKey)).items()) {
        if (isOwn(replica)) {
          controller.enqueue(replica.key().cluster());
        }
      }
    }
  }

  private boolean isOwn(StoredObject replica) {
    return shardOf(replica.object()).equals(shard);
  }

  /** The shard of a replica; empty for an object that is none. */
  public static String shardOf(KubeObject replica) {
    return replica.annotation(SHARD).orElse("");
  }

  /** {@code system:…} clusters are each shard's own. */
  static EventSource<LogicalCluster> source(ResourceKey resourceKey) {
    return new EventSource<>(
        resourceKey,
        object ->
            object.key().cluster().name().startsWith("system:")
                ? List.of()
                : List.of(object.key().cluster()));
  }

  @Override
  public Next reconcile(LogicalCluster cluster) throws InterruptedException {
    writers.acquire();
    try {
      replicate(cluster);
    } finally {
      writers.release();
    }
    return SETTLED;
  }

  private void replicate(LogicalCluster cluster) {
    Map<StorageKey, StoredObject> wanted = wanted(cluster);
    for (ResourceKey resourceKey : ReplicationRules.ALL) {
      for (StoredObject replica : list(replicas, resourceKey, cluster)) {
        if (isOwn(replica) && !wanted.containsKey(replica.key())) {
          replicas.delete(replica, replica.object());
        }
      }
    }
    wanted.values().forEach(this::replicate);
  }

  private void replicate(StoredObject original) {
    KubeObject copy =
        original
            .object()
            .with(shard, "metadata", "annotations", SHARD)
            .with(Long.toString(original.version()), "metadata", "annotations", ORIGINAL_VERSION)
            .with(original.object().uid(), "metadata", "annotations", ORIGINAL_UID);
    Optional<StoredObject> replica = replicas.get(original.key());
    if (replica.isEmpty()) {
      replicas.create(original.key(), copy);
    } else if (isOwn(replica.get()) && !original.object().deleting()) {
      // A terminating object keeps the replica that it has until it is gone.
      replicas.update(replica.get(), copy);
    }
  }

  private Map<StorageKey, StoredObject> wanted(LogicalCluster cluster) {
    var wanted = new HashMap<StorageKey, StoredObject>();
    for (ResourceKey resourceKey : ReplicationRules.WHOLE) {
      list(own, resourceKey, cluster).forEach(object -> wanted.put(object.key(), object));
    }
    for (ResourceKey resourceKey : ReplicationRules.MARKED) {
      list(own, resourceKey, cluster).stream()
          .filter(object -> ReplicationRules.isMarked(object.object()))
          .forEach(object -> wanted.put(object.key(), object));
    }
    return wanted;
  }

  private static List<StoredObject> list(
      ResourceStore store, ResourceKey resourceKey, LogicalCluster cluster) {
    return store.list(ListScope.of(resourceKey, cluster)).items();
  }

  @Override
  public void close() {
    controller.close();
  }
}
