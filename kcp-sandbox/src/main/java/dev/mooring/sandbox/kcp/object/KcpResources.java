package dev.mooring.sandbox.kcp.object;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.storage.Bucket;
import dev.mooring.sandbox.storage.ObjectAddress;
import java.util.Optional;

/** Where kcp's own objects, and the built-in ones it makes, are stored. */
public final class KcpResources {
  public static final Bucket LOGICAL_CLUSTERS = Bucket.of("core.kcp.io", "logicalclusters");
  public static final Bucket SHARDS = Bucket.of("core.kcp.io", "shards");
  public static final Bucket WORKSPACES = Bucket.of("tenancy.kcp.io", "workspaces");
  public static final Bucket WORKSPACE_TYPES = Bucket.of("tenancy.kcp.io", "workspacetypes");
  public static final Bucket EXPORTS = Bucket.of("apis.kcp.io", "apiexports");
  public static final Bucket BINDINGS = Bucket.of("apis.kcp.io", "apibindings");
  public static final Bucket SCHEMAS = Bucket.of("apis.kcp.io", "apiresourceschemas");
  public static final Bucket SLICES = Bucket.of("apis.kcp.io", "apiexportendpointslices");
  public static final Bucket CRDS = Bucket.of("apiextensions.k8s.io", "customresourcedefinitions");
  public static final Bucket SECRETS = Bucket.of("", "secrets");
  public static final Bucket NAMESPACES = Bucket.of("", "namespaces");
  public static final Bucket ROLE_BINDINGS =
      Bucket.of("rbac.authorization.k8s.io", "clusterrolebindings");

  /** The logical cluster of the workspace {@code root}. */
  public static final LogicalCluster ROOT = new LogicalCluster("root");

  private KcpResources() {}

  /**
   * The LogicalCluster object of a logical cluster; empty for {@code system:admin}, which has none.
   */
  public static Optional<ObjectAddress> logicalCluster(LogicalCluster cluster) {
    return cluster.equals(LogicalCluster.SYSTEM_ADMIN)
        ? Optional.empty()
        : Optional.of(new ObjectAddress(LOGICAL_CLUSTERS, cluster, "", KcpNames.CLUSTER_OBJECT));
  }
}
