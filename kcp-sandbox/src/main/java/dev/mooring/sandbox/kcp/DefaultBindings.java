package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.decide.ExportReference;
import dev.mooring.sandbox.kcp.decide.KcpNames;
import dev.mooring.sandbox.kcp.decide.TypeReference;
import dev.mooring.sandbox.kcp.decide.WorkspaceTypes;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Binds a fresh workspace to the exports that its type, and the types it extends, name. */
final class DefaultBindings {
  private final SystemObjects objects;
  private final LogicalClusters clusters;
  private final KcpLookups lookups;

  DefaultBindings(SystemObjects objects, LogicalClusters clusters, KcpLookups lookups) {
    this.objects = objects;
    this.clusters = clusters;
    this.lookups = lookups;
  }

  /** Makes the bindings that are missing; whether all of them are bound. */
  boolean ensure(KubeObject logicalCluster, LogicalCluster cluster) {
    boolean bound = true;
    for (ExportReference export : exports(logicalCluster)) {
      Optional<StoredObject> binding = existing(export, cluster);
      if (binding.isEmpty()) {
        objects.ensure(KcpBuckets.BINDINGS, cluster, binding(export, cluster));
      }
      bound &= binding.filter(b -> b.object().text("status", "phase").equals("Bound")).isPresent();
    }
    return bound;
  }

  private Optional<StoredObject> existing(ExportReference export, LogicalCluster cluster) {
    return objects.list(KcpBuckets.BINDINGS, cluster).stream()
        .filter(binding -> ExportReference.ofBinding(binding.object()).equals(export))
        .findFirst();
  }

  private List<ExportReference> exports(KubeObject logicalCluster) {
    TypeReference reference =
        TypeReference.parse(logicalCluster.annotation(KcpNames.TYPE).orElseThrow());
    WorkspaceTypes types = lookups.types();
    KubeObject type =
        lookups
            .type(reference)
            .orElseThrow(() -> new IllegalStateException("no workspace type " + reference));
    return WorkspaceTypes.defaultBindings(KcpAnswers.orThrow(types.withExtended(type)));
  }

  private KubeObject binding(ExportReference export, LogicalCluster cluster) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", KcpHashes.bindingName(cluster, export.path(), export.name()));
    metadata.put("annotations", Map.of(KcpNames.PATH, clusters.path(cluster).value()));
    metadata.put("finalizers", List.of(KcpNames.BINDING_FINALIZER));
    lookups
        .exportCluster(export, cluster)
        .ifPresent(provider ->
            metadata.put(
                "labels",
                Map.of(KcpNames.BOUND_EXPORT, KcpHashes.export(provider, export.name()))));
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "apis.kcp.io/v1alpha2",
            "kind",
            "APIBinding",
            "metadata",
            metadata,
            "spec",
            Map.of("reference", Map.of("export", export.tree()))));
  }
}
