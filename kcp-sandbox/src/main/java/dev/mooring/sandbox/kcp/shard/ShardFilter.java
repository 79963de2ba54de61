package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.request.LogicalClusterResolver;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.Optional;
import java.util.function.Function;

/**
 * Restricts requests at a shard's own address to its logical clusters. The path of another shard's
 * workspace is not found; its logical cluster appears empty, as at a real shard. A front proxy
 * finds the shard of a path or logical cluster, or denies the request.
 */
public record ShardFilter(Shards shards, String shard) {
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");

  public LogicalClusterResolver resolver(LogicalClusterResolver everywhere) {
    return segment -> {
      LogicalCluster cluster = everywhere.resolve(segment);
      if (segment.equals(cluster.name()) || shards.of(cluster).equals(shard)) {
        return cluster;
      }
      throw ApiFailure.notFound(WORKSPACES, segment);
    };
  }

  /**
   * @param views by logical cluster, of the whole server
   */
  public RequestScope view(LogicalCluster cluster, Function<LogicalCluster, RequestScope> views) {
    // Each real shard has its own system:admin; here all shards share one.
    return cluster.equals(LogicalCluster.SYSTEM_ADMIN) || shards.of(cluster).equals(shard)
        ? views.apply(cluster)
        : new OtherShardScope(cluster, views.apply(LogicalCluster.NONE));
  }

  /**
   * Resolves paths as a front proxy does: it denies a path that leads nowhere with 403, and does
   * not forward an unknown logical cluster. kcp's message has the whole path of the request.
   */
  public static LogicalClusterResolver frontResolver(
      Function<String, Optional<LogicalCluster>> everywhere) {
    return segment ->
        segment.equals(LogicalCluster.SYSTEM_ADMIN.name())
            ? LogicalCluster.SYSTEM_ADMIN
            : everywhere
                .apply(segment)
                .orElseThrow(() ->
                    ApiFailure.forbidden(
                        "User \"\" cannot get path \"/clusters/"
                            + segment
                            + "\": workspace access not permitted"));
  }

  public RequestScope wildcard(RequestScope everywhere) {
    return new ShardScope(everywhere, shards, shard);
  }

  public VirtualWorkspaces virtualWorkspaces(VirtualWorkspaces everywhere) {
    return (path, user) -> {
      VirtualWorkspaces.Resolved found = everywhere.resolve(path, user);
      boolean elsewhere =
          found.view().cluster().filter(c -> !shards.of(c).equals(shard)).isPresent();
      if (elsewhere) {
        throw ApiFailure.forbidden(
            "User \"" + user.name() + "\" cannot get path \"" + path + "\": access denied");
      }
      return new VirtualWorkspaces.Resolved(
          new ShardScope(found.view(), shards, shard), found.rest());
    };
  }
}
