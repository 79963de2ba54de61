package dev.mooring.sandbox;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.registry.CompositeCatalog;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.http.ServerConfig;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.kcp.shard.ShardFilter;
import dev.mooring.sandbox.security.authentication.HeaderImpersonation;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The ports of a server: one that serves everything, and with several shards one for each of them,
 * which serves what is on it. The first is then kcp's front proxy.
 */
final class Listeners implements AutoCloseable {
  private final ServerOptions options;
  private final Assembly assembly;
  private final BooleanSupplier ready;
  private final ServerIdentity identity;
  private final List<ApiServer> servers = new ArrayList<>();
  private final Map<String, URI> shards = new LinkedHashMap<>();

  Listeners(ServerOptions options, Assembly assembly, BooleanSupplier ready) {
    this.options = options;
    this.assembly = assembly;
    this.ready = ready;
    this.identity =
        assembly.authority.serverIdentity(Set.of(options.bindAddress()), assembly.clock.instant());
  }

  /**
   * Listens; answers the URL of the first port.
   *
   * @throws UncheckedIOException if a port is taken
   */
  URI open() {
    List<String> names = assembly.shards.names();
    boolean sharded = names.size() > 1;
    URI front = listen(options.port(), sharded ? front() : whole());
    for (int i = 0; i < names.size(); i++) {
      int port = options.port() == 0 ? 0 : options.port() + 1 + i;
      shards.put(names.get(i), sharded ? listen(port, shard(names.get(i))) : front);
    }
    return front;
  }

  /** By name, in order. */
  Map<String, URI> shards() {
    return shards;
  }

  private URI listen(int port, ServerConfig parts) {
    var server =
        new ApiServer(
            identity,
            assembly.clientAuthorities,
            options.bindAddress(),
            port,
            parts,
            assembly.store,
            assembly.pipeline,
            assembly.clock,
            ready);
    try {
      server.bind();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot listen on "
              + options.bindAddress()
              + ":"
              + port
              + ": "
              + e.getMessage()
              + "; choose another --secure-port",
          e);
    }
    servers.add(server);
    server.start();
    return server.url();
  }

  private ServerConfig whole() {
    boolean kcp = options.mode() == ServerOptions.Mode.KCP;
    return new ServerConfig(
        assembly.authenticator,
        new HeaderImpersonation(
            assembly.authorizer,
            kcp ? HeaderImpersonation.Guard.KCP : HeaderImpersonation.Guard.KUBERNETES),
        assembly.authorizer,
        new CatalogScopes(assembly.catalog, wildcard(), assembly.authorizer),
        assembly.kcp.map(Kcp::resolver),
        assembly.kcp.map(Kcp::virtualWorkspaces).orElseGet(Listeners::noVirtualWorkspaces),
        List.of(new DiscoveryDocuments(options.bindAddress() + ":" + options.port())),
        assembly.faults);
  }

  /** A front proxy sends each request to one shard: those for all clusters have none to go to. */
  private ServerConfig front() {
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

  private ServerConfig shard(String name) {
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

  private ResourceCatalog wildcard() {
    var catalog = new CompositeCatalog();
    catalog.add(assembly.builtIns);
    assembly.kcp.ifPresent(kcp -> catalog.add(kcp.wildcard()));
    return catalog;
  }

  private static VirtualWorkspaces noVirtualWorkspaces() {
    return (_, _) -> {
      throw ApiFailure.pageNotFound();
    };
  }

  @Override
  public void close() {
    servers.forEach(ApiServer::close);
  }
}
