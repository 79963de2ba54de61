package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.decide.ExportReference;
import dev.mooring.sandbox.kcp.decide.TypeReference;
import dev.mooring.sandbox.kcp.decide.WorkspaceTypes;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.Base64;
import java.util.Optional;

/** Follows references between kcp's objects. Thread-safe; every answer is read anew. */
public final class KcpLookups {
  private final SystemObjects objects;
  private final LogicalClusters clusters;

  public KcpLookups(SystemObjects objects, LogicalClusters clusters) {
    this.objects = objects;
    this.clusters = clusters;
  }

  /** The cluster that holds the export, whether the export exists or not. */
  public Optional<LogicalCluster> exportCluster(ExportReference reference, LogicalCluster from) {
    return reference.path().isEmpty() ? Optional.of(from) : clusters.find(reference.path());
  }

  /** The export that is meant by an object in {@code from}. */
  public Optional<KubeObject> export(ExportReference reference, LogicalCluster from) {
    return exportCluster(reference, from)
        .flatMap(cluster -> objects.get(KcpBuckets.EXPORTS, cluster, reference.name()))
        .map(StoredObject::object);
  }

  public Optional<KubeObject> schema(LogicalCluster cluster, String name) {
    return objects.get(KcpBuckets.SCHEMAS, cluster, name).map(StoredObject::object);
  }

  public Optional<KubeObject> type(TypeReference reference) {
    return clusters
        .find(reference.path())
        .flatMap(cluster -> objects.get(KcpBuckets.WORKSPACE_TYPES, cluster, reference.name()))
        .map(StoredObject::object);
  }

  public WorkspaceTypes types() {
    return new WorkspaceTypes(this::type);
  }

  /** The hash of the key in an export's secret; empty if there is no secret, or no key in it. */
  public Optional<String> identity(KubeObject export, LogicalCluster cluster) {
    ExportPlanner.SecretReference secret = ExportPlanner.secret(export);
    return objects
        .get(KcpBuckets.SECRETS, cluster, secret.namespace(), secret.name())
        .map(stored -> stored.object().text("data", "key"))
        .filter(key -> !key.isEmpty())
        .map(key -> KcpHashes.identity(Base64.getDecoder().decode(key)));
  }
}
