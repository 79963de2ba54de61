package dev.mooring.sandbox;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.http.ServerConfig;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.kcp.shard.ShardFilter;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** What each port of a server serves. */
record ServerConfigs(ServerOptions options, Assembly assembly) {
  /** Everything that the server has. */
  ServerConfig whole() {
    Security security = assembly.security;
    return new ServerConfig(
        security.authenticator(),
        security.impersonation(options.mode()),
        security.authorizer(),
        new CatalogScopes(assembly.catalog, assembly.wildcard, security.authorizer()),
        assembly.kcp.map(Kcp::resolver),
        assembly.kcp.map(Kcp::virtualWorkspaces).orElseGet(ServerConfigs::noVirtualWorkspaces),
        List.of(new DiscoveryDocuments(options.bindAddress() + ":" + options.port())),
        assembly.faults);
  }

  /**
   * A front proxy routes each request to one shard, so requests for all clusters are not served.
   */
  ServerConfig front() {
    ServerConfig whole = whole();
    return whole
        .withViews(
            new OtherViews(
                whole.views()::of,
                () -> {
                  throw ApiFailure.pageNotFound();
                }))
        .withClusters(ShardFilter.frontResolver(assembly.kcp.orElseThrow().clusters()::find))
        .withVirtualWorkspaces((path, user) -> {
          throw ApiFailure.pageNotFound();
        });
  }

  /** What is on one shard. */
  ServerConfig shard(String name) {
    ServerConfig whole = whole();
    var parts = new ShardFilter(assembly.shards, name);
    return whole
        .withViews(
            new OtherViews(
                cluster -> parts.view(cluster, whole.views()::of),
                () -> parts.wildcard(whole.views().everywhere())))
        .withClusters(parts.resolver(whole.clusters().orElseThrow()))
        .withVirtualWorkspaces(parts.virtualWorkspaces(whole.virtualWorkspaces()));
  }

  private record OtherViews(
      Function<LogicalCluster, RequestScope> each, Supplier<RequestScope> wildcard)
      implements ServerConfig.Views {
    @Override
    public RequestScope of(LogicalCluster cluster) {
      return each.apply(cluster);
    }

    @Override
    public RequestScope everywhere() {
      return wildcard.get();
    }
  }

  private static VirtualWorkspaces noVirtualWorkspaces() {
    return (_, _) -> {
      throw ApiFailure.pageNotFound();
    };
  }
}
