package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.shard.LocalOrReplica;
import dev.mooring.sandbox.kcp.workspace.LogicalClusters;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.Optional;

/**
 * Resolves references to exports, their schemas and identities, on all shards. Thread-safe; reads
 * the store on every call.
 */
public record ExportResolver(LocalOrReplica objects, LogicalClusters clusters) {
  /** The cluster that holds the export, whether the export exists or not. */
  public Optional<LogicalCluster> exportCluster(ExportReference reference, LogicalCluster from) {
    return reference.path().isEmpty() ? Optional.of(from) : clusters.find(reference.path());
  }

  /** The export that is meant by an object in {@code from}. */
  public Optional<KubeObject> export(ExportReference reference, LogicalCluster from) {
    return exportCluster(reference, from).flatMap(cluster -> export(cluster, reference.name()));
  }

  /** Empty for the empty name, which references may have. */
  public Optional<KubeObject> export(LogicalCluster cluster, String name) {
    return name.isEmpty()
        ? Optional.empty()
        : objects.get(KcpResources.EXPORTS, cluster, name).map(StoredObject::object);
  }

  /**
   * The cluster of an export that may be bound, if the user has the right. An export in the
   * referring workspace or in root need not exist yet.
   */
  public Optional<LogicalCluster> bindableCluster(ExportReference reference, LogicalCluster from) {
    if (reference.path().isEmpty()) {
      return Optional.of(from);
    }
    return reference.path().equals(KcpResources.ROOT.name())
        ? Optional.of(KcpResources.ROOT)
        : exportCluster(reference, from)
            .filter(provider -> export(provider, reference.name()).isPresent());
  }

  /** The exports of an identity, in all clusters. */
  public List<KubeObject> withIdentity(String identity) {
    return objects.everywhere(KcpResources.EXPORTS).stream()
        .map(StoredObject::object)
        .filter(export -> export.text("status", "identityHash").equals(identity))
        .toList();
  }

  public Optional<KubeObject> schema(LogicalCluster cluster, String name) {
    return objects.get(KcpResources.SCHEMAS, cluster, name).map(StoredObject::object);
  }
}
