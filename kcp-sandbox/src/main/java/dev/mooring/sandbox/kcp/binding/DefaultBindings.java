package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.workspace.LogicalClusterReconciler;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.kcp.workspace.decide.WorkspaceTypes;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;

/** Binds a new workspace to the exports that its type, and the types it extends, name. */
public record DefaultBindings(
    SystemObjects objects, LogicalClusters clusters, ExportResolver exports, WorkspaceTypes types)
    implements LogicalClusterReconciler.Initializer {
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  @Override
  public boolean ensure(KubeObject logicalCluster, LogicalCluster cluster) {
    boolean bound = true;
    for (ExportReference export : exports(logicalCluster)) {
      Optional<StoredObject> binding = existing(export, cluster);
      if (binding.isEmpty()) {
        objects.ensure(KcpResources.BINDINGS, cluster, binding(export, cluster));
      }
      bound &= binding.filter(b -> b.object().text("status", "phase").equals("Bound")).isPresent();
    }
    return bound;
  }

  private Optional<StoredObject> existing(ExportReference export, LogicalCluster cluster) {
    return objects.list(KcpResources.BINDINGS, cluster).stream()
        .filter(binding -> ExportReference.ofBinding(binding.object()).equals(export))
        .findFirst();
  }

  private List<ExportReference> exports(KubeObject logicalCluster) {
    TypeReference reference =
        TypeReference.parse(logicalCluster.annotation(KcpNames.TYPE).orElseThrow());
    KubeObject type =
        types
            .find(reference)
            .orElseThrow(() -> new IllegalStateException("no workspace type " + reference));
    return WorkspaceTypes.defaultBindings(types.withExtended(type).orThrow());
  }

  private KubeObject binding(ExportReference export, LogicalCluster cluster) {
    KubeObject binding =
        KubeObject.of(
                BINDINGS,
                "APIBinding",
                "",
                KcpHashes.bindingName(cluster, export.path(), export.name()))
            .with(clusters.path(cluster).value(), "metadata", "annotations", KcpNames.PATH)
            .withFinalizer(KcpNames.BINDING_FINALIZER)
            .with(export.tree(), "spec", "reference", "export");
    return exports
        .exportCluster(export, cluster)
        .map(provider -> KcpHashes.export(provider, export.name()))
        .map(hash -> binding.with(hash, "metadata", "labels", KcpNames.BOUND_EXPORT))
        .orElse(binding);
  }
}
