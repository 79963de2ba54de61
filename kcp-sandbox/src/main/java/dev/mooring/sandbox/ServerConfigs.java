package dev.mooring.sandbox;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.request.LogicalClusterResolver;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.http.ServerConfig;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.kcp.shard.ShardFilter;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What each port of a server serves. */
record ServerConfigs(ServerOptions options, Assembly assembly) {
  /** Everything that the server has. */
  ServerConfig whole() {
    return config(views(), assembly.kcp.map(Kcp::resolver), virtualWorkspaces());
  }

  /**
   * A front proxy routes each request to one shard, so requests for all clusters are not served.
   */
  ServerConfig front() {
    return config(
        new OtherViews(
            views()::of,
            () -> {
              throw ApiFailure.pageNotFound();
            }),
        Optional.of(ShardFilter.frontResolver(assembly.kcp.orElseThrow().clusters()::find)),
        noVirtualWorkspaces());
  }

  /** What is on one shard. */
  ServerConfig shard(String name) {
    var parts = new ShardFilter(assembly.shards, name);
    return config(
        new OtherViews(
            cluster -> parts.view(cluster, views()::of),
            () -> parts.wildcard(views().everywhere())),
        Optional.of(parts.resolver(assembly.kcp.orElseThrow().resolver())),
        parts.virtualWorkspaces(virtualWorkspaces()));
  }

  private ServerConfig config(
      ServerConfig.Views views,
      Optional<LogicalClusterResolver> clusters,
      VirtualWorkspaces virtualWorkspaces) {
    Security security = assembly.security;
    return new ServerConfig(
        security.authenticator(),
        security.impersonation(options.mode()),
        security.authorizer(),
        views,
        clusters,
        virtualWorkspaces,
        new DiscoveryDocuments(options.hostname() + ":" + options.port()),
        assembly.faults);
  }

  private CatalogScopes views() {
    return new CatalogScopes(assembly.catalog, assembly.wildcard, assembly.security.authorizer());
  }

  private VirtualWorkspaces virtualWorkspaces() {
    return assembly.kcp.map(Kcp::virtualWorkspaces).orElseGet(ServerConfigs::noVirtualWorkspaces);
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
