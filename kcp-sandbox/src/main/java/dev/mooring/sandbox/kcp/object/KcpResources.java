package dev.mooring.sandbox.kcp.object;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import java.util.Optional;

/** Where kcp's own objects, and the built-in ones it makes, are stored. */
public final class KcpResources {
  public static final ResourceKey LOGICAL_CLUSTERS =
      ResourceKey.of("core.kcp.io", "logicalclusters");
  public static final ResourceKey SHARDS = ResourceKey.of("core.kcp.io", "shards");
  public static final ResourceKey WORKSPACES = ResourceKey.of("tenancy.kcp.io", "workspaces");
  public static final ResourceKey WORKSPACE_TYPES =
      ResourceKey.of("tenancy.kcp.io", "workspacetypes");
  public static final ResourceKey EXPORTS = ResourceKey.of("apis.kcp.io", "apiexports");
  public static final ResourceKey BINDINGS = ResourceKey.of("apis.kcp.io", "apibindings");
  public static final ResourceKey SCHEMAS = ResourceKey.of("apis.kcp.io", "apiresourceschemas");
  public static final ResourceKey SLICES = ResourceKey.of("apis.kcp.io", "apiexportendpointslices");
  public static final ResourceKey PARTITIONS = ResourceKey.of("topology.kcp.io", "partitions");
  public static final ResourceKey PARTITION_SETS =
      ResourceKey.of("topology.kcp.io", "partitionsets");
  public static final ResourceKey CACHED_RESOURCES =
      ResourceKey.of("cache.kcp.io", "cachedresources");
  public static final ResourceKey CRDS =
      ResourceKey.of("apiextensions.k8s.io", "customresourcedefinitions");
  public static final ResourceKey SECRETS = ResourceKey.of("", "secrets");
  public static final ResourceKey NAMESPACES = ResourceKey.of("", "namespaces");
  public static final ResourceKey ROLES =
      ResourceKey.of("rbac.authorization.k8s.io", "clusterroles");
  public static final ResourceKey ROLE_BINDINGS =
      ResourceKey.of("rbac.authorization.k8s.io", "clusterrolebindings");

  /** The logical cluster of the workspace {@code root}. */
  public static final LogicalCluster ROOT = new LogicalCluster("root");

  private KcpResources() {}

  /**
   * The LogicalCluster object of a logical cluster; empty for {@code system:admin}, which has none.
   */
  public static Optional<StorageKey> logicalCluster(LogicalCluster cluster) {
    return cluster.equals(LogicalCluster.SYSTEM_ADMIN)
        ? Optional.empty()
        : Optional.of(new StorageKey(LOGICAL_CLUSTERS, cluster, "", KcpNames.CLUSTER_OBJECT));
  }
}
