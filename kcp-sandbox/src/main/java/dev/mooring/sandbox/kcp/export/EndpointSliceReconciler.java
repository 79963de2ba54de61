package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.Reconciler;
import dev.mooring.sandbox.controller.Reconciler.Next;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.export.decide.EndpointSlicePlanner;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Keeps an APIExportEndpointSlice's status in step with its export and that export's bindings. */
public record EndpointSliceReconciler(
    SystemObjects objects, ExportResolver exports, Consumers consumers, ServerUrls urls)
    implements Reconciler<ObjectKey> {
  /** Which logical clusters have bound an export. Thread-safe. */
  @FunctionalInterface
  public interface Consumers {
    /** The clusters with an APIBinding to the export that has got as far as Binding. */
    Set<LogicalCluster> boundIn(LogicalCluster provider, String export);
  }

  private static final Next SETTLED = new Next.OnEvent();

  @Override
  public Next reconcile(ObjectKey key) {
    Optional<StoredObject> read = objects.get(KcpResources.SLICES, key.cluster(), key.name());
    if (read.isEmpty() || read.get().object().deleting()) {
      return SETTLED;
    }
    KubeObject slice = read.get().object();
    ExportReference reference = ExportReference.ofSlice(slice);
    Optional<LogicalCluster> provider = exports.exportCluster(reference, key.cluster());
    Optional<KubeObject> export = exports.export(reference, key.cluster());
    List<String> endpoints =
        provider.map(cluster -> endpoints(cluster, reference.name())).orElse(List.of());
    KubeObject after = EndpointSlicePlanner.settled(slice, export, endpoints, objects.now());
    if (!after.equals(slice)) {
      objects.update(read.get(), after);
    }
    return SETTLED;
  }

  /** In the order of the shards' names. */
  private List<String> endpoints(LogicalCluster provider, String export) {
    return consumers.boundIn(provider, export).stream()
        .map(urls.shards()::of)
        .distinct()
        .sorted()
        .map(shard -> urls.export(shard, provider, export))
        .toList();
  }
}
