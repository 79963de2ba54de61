package dev.mooring.sandbox;

import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.http.ServerConfig;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.security.token.IssuerDocuments;

/** What a shard serves. */
record ServerConfigs(SharedParts parts, Assembly assembly) {
  ServerConfig config() {
    Security security = assembly.security;
    ServerOptions options = parts.options();
    String address = options.hostname() + ":" + options.port();
    var discovery = new DiscoveryDocuments(address);
    var issuer = new IssuerDocuments(security.serviceAccountTokens(), address);
    return new ServerConfig(
        security.authenticator(),
        security.impersonation(options.mode()),
        security.authorizer(),
        new CatalogScopes(
            assembly.catalog, assembly.wildcard, assembly.metadata, security.authorizer()),
        assembly.kcp.map(Kcp::resolver),
        assembly.kcp.map(Kcp::virtualWorkspaces).orElseGet(ServerConfigs::noVirtualWorkspaces),
        assembly.kcp.map(Kcp::homeWorkspaces),
        request -> issuer.answer(request).or(() -> discovery.answer(request)),
        assembly.kcp.map(_ -> assembly.reviewsOfRights),
        parts.faults());
  }

  private static VirtualWorkspaces noVirtualWorkspaces() {
    return (_, _) -> {
      throw ApiFailure.pageNotFound();
    };
  }
}
