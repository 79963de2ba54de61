package dev.mooring.sandbox.kcp.topology;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.LocalOrReplica;
import dev.mooring.sandbox.kcp.topology.decide.PartitionPlanner;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Makes and removes the Partitions of PartitionSets.
 *
 * @param names completes a {@code generateName}
 */
public record PartitionSetReconciler(LocalOrReplica shared, UnaryOperator<String> names)
    implements Reconciler<ObjectKey> {
  @Override
  public Next reconcile(ObjectKey key) {
    LoopbackClient objects = shared.own();
    Optional<StoredObject> read =
        objects.get(KcpResources.PARTITION_SETS, key.cluster(), key.name());
    if (read.isEmpty() || read.get().object().deleting()) {
      return new Next.OnEvent();
    }
    KubeObject set = read.get().object();
    List<StoredObject> owned =
        objects.list(KcpResources.PARTITIONS, key.cluster()).stream()
            .filter(partition -> isOwned(partition.object(), set))
            .toList();
    PartitionPlanner.Plan plan =
        PartitionPlanner.plan(
            set,
            shared.list(KcpResources.SHARDS, KcpResources.ROOT).stream()
                .map(StoredObject::object)
                .toList(),
            owned.stream().map(StoredObject::object).toList(),
            objects.now());
    for (StoredObject partition : owned) {
      if (plan.stale().contains(partition.object())) {
        objects.delete(partition);
      }
    }
    for (KubeObject partition : plan.missing()) {
      String name = names.apply(partition.text("metadata", "generateName"));
      objects.create(
          KcpResources.PARTITIONS, key.cluster(), partition.with(name, "metadata", "name"));
    }
    if (!plan.set().equals(set)) {
      objects.update(read.get(), plan.set());
    }
    return new Next.OnEvent();
  }

  private static boolean isOwned(KubeObject partition, KubeObject set) {
    return partition.list("metadata", "ownerReferences").stream()
        .anyMatch(owner -> set.uid().equals(Trees.at(owner, "uid")));
  }
}
