package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.kcp.export.decide.EndpointSlicePlanner;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.shard.LocalOrReplica;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.Replication;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the status of an APIExportEndpointSlice in step: its own shard writes the conditions, and
 * every shard enters its own URL as long as a workspace on it has bound the export.
 */
public record EndpointSliceReconciler(
    LocalOrReplica shared,
    OtherShards others,
    ExportResolver exports,
    Consumers consumers,
    ServerUrls urls)
    implements Reconciler<ObjectKey> {
  /** Whether logical clusters of this shard have bound an export. Thread-safe. */
  @FunctionalInterface
  public interface Consumers {
    /** Whether there is an APIBinding to the export that has got as far as Binding. */
    boolean isBound(LogicalCluster provider, String export);
  }

  private static final Next SETTLED = new Next.OnEvent();

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> read = shared.get(KcpResources.SLICES, key.cluster(), key.name());
    if (read.isEmpty() || read.get().object().deleting()) {
      return SETTLED;
    }
    KubeObject slice = read.get().object();
    boolean own = shared.isOwn().test(key.cluster());
    if (own) {
      KubeObject valid = validated(slice, key);
      if (!valid.equals(slice)) {
        shared.own().update(read.get(), valid);
        return SETTLED;
      }
    }
    EndpointSlicePlanner.ShardFacts shard = shard(slice, key);
    if (!EndpointSlicePlanner.entered(slice, shard).equals(slice)) {
      enter(own ? shared.own() : others.at(Replication.shardOf(slice)), key, shard);
    }
    return SETTLED;
  }

  private KubeObject validated(KubeObject slice, ObjectKey key) {
    Optional<KubeObject> export = exports.export(ExportReference.ofSlice(slice), key.cluster());
    EndpointSlicePlanner.Partition partition = partition(slice, key.cluster());
    String now = shared.own().now();
    return EndpointSlicePlanner.validated(slice, export, partition, now);
  }

  /** Writes the shard's URL where the slice is, on what is stored there now. */
  private static void enter(
      LoopbackClient home, ObjectKey key, EndpointSlicePlanner.ShardFacts shard) {
    Optional<StoredObject> stored = home.get(KcpResources.SLICES, key.cluster(), key.name());
    if (stored.isPresent()) {
      KubeObject after = EndpointSlicePlanner.entered(stored.get().object(), shard);
      if (!after.equals(stored.get().object())) {
        home.update(stored.get(), after);
      }
    }
  }

  private EndpointSlicePlanner.ShardFacts shard(KubeObject slice, ObjectKey key) {
    ExportReference reference = ExportReference.ofSlice(slice);
    Optional<LogicalCluster> provider = exports.exportCluster(reference, key.cluster());
    boolean bound =
        provider.filter(found -> consumers.isBound(found, reference.name())).isPresent();
    Map<String, String> labels =
        shared
            .get(KcpResources.SHARDS, KcpResources.ROOT, urls.shard())
            .map(found -> found.object().labels())
            .orElse(Map.of());
    return new EndpointSlicePlanner.ShardFacts(
        labels,
        provider.map(found -> urls.export(found, reference.name())).orElse(""),
        bound ? EndpointSlicePlanner.Consumers.SOME : EndpointSlicePlanner.Consumers.NONE);
  }

  private EndpointSlicePlanner.Partition partition(KubeObject slice, LogicalCluster cluster) {
    String name = slice.text("spec", "partition");
    if (name.isEmpty()) {
      return new EndpointSlicePlanner.Partition.All();
    }
    return shared
        .own()
        .get(KcpResources.PARTITIONS, cluster, name)
        .<EndpointSlicePlanner.Partition>map(
            found -> new EndpointSlicePlanner.Partition.Found(found.object()))
        .orElseGet(() -> new EndpointSlicePlanner.Partition.Missing(name));
  }
}
