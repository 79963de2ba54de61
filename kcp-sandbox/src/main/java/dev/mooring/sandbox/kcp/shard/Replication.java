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

/**
 * Copies what a shard shares to the cache server: for each logical cluster of the shard that
 * changes, the replicas are brought in line with what {@link ReplicationRules} select.
 * Asynchronous. Stops while the shard is down: its replicas stay. Waits while the cache server is.
 */
public final class Replication implements Reconciler<LogicalCluster>, AutoCloseable {
  private static final Next SETTLED = new Next.OnEvent();

  private final ResourceStore own;
  private final Replicas replicas;
  private final Controller<LogicalCluster> controller;

  private Replication(ResourceStore own, Replicas replicas) {
    this.own = own;
    this.replicas = replicas;
    this.controller =
        Controller.start(
            "replication",
            own,
            ReplicationRules.ALL.stream().map(Replication::source).toList(),
            this);
  }

  /**
   * @param own of the shard
   */
  public static Replication start(ResourceStore own, Replicas replicas) {
    var replication = new Replication(own, replicas);
    replication.enqueueReplicated();
    return replication;
  }

  /** What was deleted last before the shard went down makes no event. */
  private void enqueueReplicated() {
    for (ResourceKey resourceKey : ReplicationRules.ALL) {
      for (StoredObject replica :
          replicas.store().list(ListScope.everywhere(resourceKey)).items()) {
        if (isOwn(replica)) {
          controller.enqueue(replica.key().cluster());
        }
      }
    }
  }

  private boolean isOwn(StoredObject replica) {
    return Replicas.shardOf(replica.object()).equals(replicas.shard());
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
    replicas.writers().acquire();
    try {
      replicate(cluster);
    } finally {
      replicas.writers().release();
    }
    return SETTLED;
  }

  private void replicate(LogicalCluster cluster) {
    Map<StorageKey, StoredObject> wanted = wanted(cluster);
    for (ResourceKey resourceKey : ReplicationRules.ALL) {
      for (StoredObject replica : replicas.list(resourceKey, cluster)) {
        if (isOwn(replica) && !wanted.containsKey(replica.key())) {
          replicas.store().delete(replica, replica.object());
        }
      }
    }
    wanted.values().forEach(this::replicate);
  }

  private void replicate(StoredObject original) {
    KubeObject copy = replicas.marked(original.object(), original.version());
    Optional<StoredObject> replica = replicas.store().get(original.key());
    if (replica.isEmpty()) {
      replicas.store().create(original.key(), copy);
    } else if (isOwn(replica.get()) && !original.object().deleting()) {
      // A terminating object keeps the replica that it has until it is gone.
      replicas.store().update(replica.get(), copy);
    }
  }

  private Map<StorageKey, StoredObject> wanted(LogicalCluster cluster) {
    var wanted = new HashMap<StorageKey, StoredObject>();
    for (ResourceKey resourceKey : ReplicationRules.WHOLE) {
      own(resourceKey, cluster).forEach(object -> wanted.put(object.key(), object));
    }
    for (ResourceKey resourceKey : ReplicationRules.MARKED) {
      own(resourceKey, cluster).stream()
          .filter(object -> ReplicationRules.isMarked(object.object()))
          .forEach(object -> wanted.put(object.key(), object));
    }
    return wanted;
  }

  private List<StoredObject> own(ResourceKey resourceKey, LogicalCluster cluster) {
    return own.list(ListScope.of(resourceKey, cluster)).items();
  }

  @Override
  public void close() {
    controller.close();
  }
}
