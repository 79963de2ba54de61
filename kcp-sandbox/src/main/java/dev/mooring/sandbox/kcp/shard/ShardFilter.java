package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.sandbox.api.request.LogicalClusterResolver;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a request finds at one shard's own address: its logical clusters, and across all of them
 * only their objects. Of another shard's workspace the path is not found, and the logical cluster
 * is taken for one that is empty, as at a real shard, which knows its own. A front proxy finds the
 * shard of a path or logical cluster, or refuses.
 */
public final class ShardFilter {
  private static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");

  private final Shards shards;
  private final String shard;

  public ShardFilter(Shards shards, String shard) {
    this.shards = shards;
    this.shard = shard;
  }

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
    // A shard of kcp has a system:admin of its own; here what one grants counts on all.
    return cluster.equals(LogicalCluster.SYSTEM_ADMIN) || shards.of(cluster).equals(shard)
        ? views.apply(cluster)
        : new OtherShardScope(cluster, views.apply(LogicalCluster.NONE));
  }

  /**
   * A front proxy's: unlike a shard, it refuses a path that leads nowhere with 403, and does not
   * forward a logical cluster that it does not know. kcp's message has the whole path of the
   * request.
   */
  public static LogicalClusterResolver frontResolver(
      Function<String, Optional<LogicalCluster>> everywhere) {
    return segment ->
        segment.equals(LogicalCluster.SYSTEM_ADMIN.name())
            ? LogicalCluster.SYSTEM_ADMIN
            : everywhere
                .apply(segment)
                .orElseThrow(() ->
                    ApiFailure.of(
                        403,
                        "Forbidden",
                        "forbidden: User \"\" cannot get path \"/clusters/"
                            + segment
                            + "\": workspace access not permitted",
                        Map.of()));
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
        throw ApiFailure.of(
            403,
            "Forbidden",
            "forbidden: User \""
                + user.name()
                + "\" cannot get path \""
                + path
                + "\": access denied",
            Map.of());
      }
      return new VirtualWorkspaces.Resolved(
          new ShardScope(found.view(), shards, shard), found.rest());
    };
  }
}
