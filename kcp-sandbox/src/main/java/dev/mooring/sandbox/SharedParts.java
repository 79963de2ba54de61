package dev.mooring.sandbox;

import com.google.common.base.Throwables;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.http.PathMapping;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** What all servers of a sandbox have in common: users, certificates, time and faults. */
record SharedParts(
    ServerOptions options,
    Clock clock,
    Certificates certificates,
    ServerIdentity identity,
    AdminTokens adminTokens,
    FaultInjector faults) {

  static SharedParts of(ServerOptions options, Clock clock) {
    Certificates certificates = Certificates.of(options, clock);
    String admin =
        switch (options.mode()) {
          case KCP -> Kubeconfigs.KCP_ADMIN;
          case KUBERNETES -> Kubeconfigs.KUBERNETES_ADMIN;
        };
    return new SharedParts(
        options,
        clock,
        certificates,
        certificates
            .authority()
            .serverIdentity(
                new LinkedHashSet<>(List.of(options.hostname(), options.bindAddress())),
                clock.instant()),
        AdminTokens.keptIn(options.rootDirectory().resolve(KcpSandbox.KUBECONFIG_FILE), admin),
        new FaultInjector());
  }

  /** Empty if objects are in memory alone. */
  Optional<DataDirectory> data() {
    return options.dataDirectory().map(DataDirectory::new);
  }

  /** Paths of front proxies that lead to servers elsewhere. */
  List<PathMapping> mappings() {
    return options.mappingFile().map(PathMapping::read).orElse(List.of());
  }

  /**
   * A server that has taken its port and does not answer yet.
   *
   * @param port 0 for any free one
   * @throws UncheckedIOException if the port is taken
   */
  ApiServer bind(int port) {
    var server =
        new ApiServer(
            identity, certificates.clients(), options.bindAddress(), options.hostname(), port);
    try {
      server.bind();
      return server;
    } catch (IOException e) {
      server.close();
      throw new UncheckedIOException(
          "cannot listen on %s:%s: %s; choose another --secure-port or --bind-address"
              .formatted(options.bindAddress(), port, Throwables.getRootCause(e).getMessage()),
          e);
    }
  }
}
