package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.decide.EndpointSlicePlanner;
import dev.mooring.sandbox.kcp.decide.ExportReference;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;

/** Keeps an APIExportEndpointSlice's status in step with its export and that export's bindings. */
final class EndpointSliceReconciler {
  private final SystemObjects objects;
  private final KcpLookups lookups;
  private final BindingIndex bindings;
  private final ServerUrls urls;

  EndpointSliceReconciler(
      SystemObjects objects, KcpLookups lookups, BindingIndex bindings, ServerUrls urls) {
    this.objects = objects;
    this.lookups = lookups;
    this.bindings = bindings;
    this.urls = urls;
  }

  void reconcile(ObjectKey key) {
    Optional<StoredObject> read = objects.get(KcpBuckets.SLICES, key.cluster(), key.name());
    if (read.isEmpty() || read.get().object().deleting()) {
      return;
    }
    KubeObject slice = read.get().object();
    ExportReference reference = ExportReference.ofSlice(slice);
    Optional<LogicalCluster> provider = lookups.exportCluster(reference, key.cluster());
    Optional<KubeObject> export = lookups.export(reference, key.cluster());
    List<String> endpoints =
        provider.map(cluster -> endpoints(cluster, reference.name())).orElse(List.of());
    KubeObject after = EndpointSlicePlanner.settled(slice, export, endpoints, objects.now());
    if (!after.equals(slice)) {
      objects.update(read.get(), after);
    }
  }

  /** In the order of the shards' names. */
  private List<String> endpoints(LogicalCluster provider, String export) {
    return bindings.boundIn(provider, export).stream()
        .map(urls.shards()::of)
        .distinct()
        .sorted()
        .map(shard -> urls.export(shard, provider, export))
        .toList();
  }
}
