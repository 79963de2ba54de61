package dev.mooring.sandbox;

import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.http.ServerConfig;
import dev.mooring.sandbox.kcp.shard.Shards;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The ports of a server: one that serves everything, and with several shards one more for each of
 * them, which serves its content. The first is then kcp's front proxy.
 */
final class Listeners implements AutoCloseable {
  private final ServerOptions options;
  private final Certificates certificates;
  private final ServerIdentity identity;
  private final Map<String, ApiServer> shards = new LinkedHashMap<>();
  private final ApiServer first;

  private Listeners(ServerOptions options, Certificates certificates, Clock clock) {
    this.options = options;
    this.certificates = certificates;
    this.identity =
        certificates
            .authority()
            .serverIdentity(
                new LinkedHashSet<>(List.of(options.hostname(), options.bindAddress())),
                clock.instant());
    this.first = server(options.port());
  }

  /**
   * Takes the ports; nothing is answered before {@link #start}.
   *
   * @throws UncheckedIOException if a port is taken
   */
  static Listeners bind(ServerOptions options, Certificates certificates, Clock clock) {
    var listeners = new Listeners(options, certificates, clock);
    try {
      listeners.bind();
      return listeners;
    } catch (RuntimeException e) {
      listeners.close();
      throw e;
    }
  }

  private void bind() {
    bind(first, options.port());
    List<String> names = Shards.names(options.shards());
    for (int i = 0; i < names.size() && names.size() > 1; i++) {
      int port = options.port() == 0 ? 0 : options.port() + 1 + i;
      ApiServer shard = server(port);
      shards.put(names.get(i), shard);
      bind(shard, port);
    }
  }

  private ApiServer server(int port) {
    return new ApiServer(
        identity, certificates.clients(), options.bindAddress(), options.hostname(), port);
  }

  private void bind(ApiServer server, int port) {
    try {
      server.bind();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot listen on %s:%s: %s; choose another --secure-port"
              .formatted(options.bindAddress(), port, e.getMessage()),
          e);
    }
  }

  /** Of the first port. */
  URI url() {
    return first.url();
  }

  /** By name, in order; the first port's where there is only one shard. */
  Map<String, URI> shards() {
    var urls = new LinkedHashMap<String, URI>();
    shards.forEach((name, server) -> urls.put(name, server.url()));
    return urls.isEmpty() ? Map.of(Shards.ROOT, url()) : urls;
  }

  void start(Assembly assembly) {
    var configs = new ServerConfigs(options, assembly);
    start(first, shards.isEmpty() ? configs.whole() : configs.front(), assembly);
    shards.forEach((name, server) -> start(server, configs.shard(name), assembly));
  }

  private static void start(ApiServer server, ServerConfig config, Assembly assembly) {
    server.start(config, assembly.store, assembly.pipeline, assembly.clock);
  }

  @Override
  public void close() {
    first.close();
    shards.values().forEach(ApiServer::close);
  }
}
