package dev.mooring.sandbox;

import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.http.ServerConfig;
import dev.mooring.sandbox.kcp.Kcp;

/** What a shard serves. */
record ServerConfigs(SharedParts parts, Assembly assembly) {
  ServerConfig config() {
    Security security = assembly.security;
    ServerOptions options = parts.options();
    return new ServerConfig(
        security.authenticator(),
        security.impersonation(options.mode()),
        security.authorizer(),
        new CatalogScopes(
            assembly.catalog, assembly.wildcard, assembly.metadata, security.authorizer()),
        assembly.kcp.map(Kcp::resolver),
        assembly.kcp.map(Kcp::virtualWorkspaces).orElseGet(ServerConfigs::noVirtualWorkspaces),
        assembly.kcp.map(Kcp::homeWorkspaces),
        new DiscoveryDocuments(options.hostname() + ":" + options.port()),
        assembly.kcp.map(_ -> assembly.reviewsOfRights),
        parts.faults());
  }

  private static VirtualWorkspaces noVirtualWorkspaces() {
    return (_, _) -> {
      throw ApiFailure.pageNotFound();
    };
  }
}
