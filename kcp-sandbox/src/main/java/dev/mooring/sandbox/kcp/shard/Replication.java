package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.EventSource;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.ReplicationRules.Visibility;
import dev.mooring.sandbox.security.rbac.PolicyRule;
import dev.mooring.sandbox.security.rbac.RbacPolicies;
import dev.mooring.sandbox.security.rbac.RoleRef;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private static final Next SETTLED = new Next.OnEvent();

  private final String shard;
  private final ResourceStore own;
  private final ResourceStore replicas;
  private final Semaphore writers;
  private final RbacPolicies policies;
  private final Controller<LogicalCluster> controller;

  private Replication(
      String shard,
      ResourceStore own,
      ResourceStore replicas,
      Semaphore writers,
      RbacPolicies policies) {
    this.shard = shard;
    this.own = own;
    this.replicas = replicas;
    this.writers = writers;
    this.policies = policies;
    this.controller =
        Controller.start(
            "replication",
            own,
            ReplicationRules.ALL.stream().map(Replication::source).toList(),
            this);
  }

  /**
   * @param own of the shard
   * @param replicas of the cache server
   * @param writers has no permit while the cache server is down
   * @param policies of the shard
   */
  public static Replication start(
      String shard,
      ResourceStore own,
      ResourceStore replicas,
      Semaphore writers,
      RbacPolicies policies) {
    var replication = new Replication(shard, own, replicas, writers, policies);
    replication.enqueueReplicated();
    return replication;
  }

  /** What was deleted last before the shard went down makes no event. */
  private void enqueueReplicated() {
    for (ResourceKey resourceKey : ReplicationRules.ALL) {
      for (StoredObject replica : replicas.list(ListScope.everywhere(resourceKey)).items()) {
        if (shardOf(replica.object()).equals(shard)) {
          controller.enqueue(replica.key().cluster());
        }
      }
    }
  }

  /** {@code system:…} clusters are each shard's own. */
  private static EventSource<LogicalCluster> source(ResourceKey resourceKey) {
    return new EventSource<>(
        resourceKey,
        object ->
            object.key().cluster().name().startsWith("system:")
                ? List.of()
                : List.of(object.key().cluster()));
  }

  /** The shard of a replica; empty for an object that is none. */
  public static String shardOf(KubeObject replica) {
    return replica.annotation(SHARD).orElse("");
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
        if (shardOf(replica.object()).equals(shard) && !wanted.containsKey(replica.key())) {
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
            .with(Long.toString(original.version()), "metadata", "annotations", ORIGINAL_VERSION);
    Optional<StoredObject> replica = replicas.get(original.key());
    if (replica.isEmpty()) {
      replicas.create(original.key(), copy);
    } else if (shardOf(replica.get().object()).equals(shard) && !original.object().deleting()) {
      // A terminating object keeps the replica that it has until it is gone.
      replicas.update(replica.get(), copy);
    }
  }

  private Map<StorageKey, StoredObject> wanted(LogicalCluster cluster) {
    var wanted = new HashMap<StorageKey, StoredObject>();
    for (ResourceKey resourceKey : ReplicationRules.WHOLE) {
      list(own, resourceKey, cluster).forEach(object -> wanted.put(object.key(), object));
    }
    Visibility visibility =
        wanted.keySet().stream().anyMatch(Replication::makesVisible)
            ? Visibility.SHARED
            : Visibility.LOCAL;
    for (StoredObject object : list(own, KcpResources.LOGICAL_CLUSTERS, cluster)) {
      if (visibility == Visibility.SHARED || ReplicationRules.isMarked(object.object())) {
        wanted.put(object.key(), object);
      }
    }
    Set<String> granted = new HashSet<>();
    for (StoredObject binding : list(own, KcpResources.ROLE_BINDINGS, cluster)) {
      boolean policy = ReplicationRules.isPolicy(binding.object());
      RoleRef role = RoleRef.of(binding.object());
      if (policy) {
        granted.add(role.name());
      }
      if (policy
          || ReplicationRules.isMarked(binding.object())
          || ReplicationRules.matter(rules(cluster, role), visibility)) {
        wanted.put(binding.key(), binding);
      }
    }
    for (StoredObject role : list(own, ReplicationRules.ROLES, cluster)) {
      String name = role.key().name();
      if (granted.contains(name)
          || ReplicationRules.isMarked(role.object())
          || ReplicationRules.matter(
              rules(cluster, new RoleRef("ClusterRole", name)), visibility)) {
        wanted.put(role.key(), role);
      }
    }
    return wanted;
  }

  private List<PolicyRule> rules(LogicalCluster cluster, RoleRef role) {
    return policies.rulesOf(cluster, role, "").orElse(List.of());
  }

  private static boolean makesVisible(StorageKey key) {
    return key.resourceKey().equals(KcpResources.EXPORTS)
        || key.resourceKey().equals(KcpResources.WORKSPACE_TYPES);
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
