package dev.mooring.sandbox;

import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.api.CompositeCatalog;
import dev.mooring.sandbox.api.DocumentSource;
import dev.mooring.sandbox.api.ResourceCatalog;
import dev.mooring.sandbox.api.VirtualWorkspaces;
import dev.mooring.sandbox.discovery.DiscoveryDocuments;
import dev.mooring.sandbox.fault.FaultMenu;
import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.http.ServedParts;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.security.HeaderImpersonation;
import dev.mooring.sandbox.security.Kubeconfigs;
import dev.mooring.sandbox.security.ServerIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A kcp-compatible (or plain Kubernetes) API server inside this JVM. Objects live in memory until
 * it is closed; certificates and tokens are kept in its root directory. Thread-safe.
 */
public final class KcpSandbox implements AutoCloseable {
  static final String KUBECONFIG_FILE = "admin.kubeconfig";

  private final Wiring wiring;
  private final ApiServer server;
  private final URI url;
  private final String kubeconfig;
  private final Path kubeconfigFile;

  private KcpSandbox(
      Wiring wiring, ApiServer server, URI url, String kubeconfig, Path kubeconfigFile) {
    this.wiring = wiring;
    this.server = server;
    this.url = url;
    this.kubeconfig = kubeconfig;
    this.kubeconfigFile = kubeconfigFile;
  }

  /**
   * A running server; it is ready when this returns.
   *
   * @throws UncheckedIOException if the port is taken, or the root directory cannot be written
   */
  public static KcpSandbox start(ServerOptions options) {
    var wiring = new Wiring(options);
    try {
      return start(options, wiring);
    } catch (RuntimeException e) {
      wiring.close();
      throw e;
    }
  }

  private static KcpSandbox start(ServerOptions options, Wiring wiring) {
    boolean kcp = options.mode() == ServerOptions.Mode.KCP;
    ServerIdentity identity =
        wiring.authority.serverIdentity(Set.of(options.bindAddress()), wiring.clock.instant());
    var ready = new AtomicBoolean();
    var parts =
        new ServedParts(
            wiring.authenticator,
            new HeaderImpersonation(
                wiring.authorizer,
                kcp ? HeaderImpersonation.Guard.KCP : HeaderImpersonation.Guard.KUBERNETES),
            wiring.authorizer,
            new CatalogViews(wiring.catalog, wildcard(wiring), wiring.authorizer),
            wiring.kcp.map(Kcp::resolver),
            wiring.kcp.map(Kcp::virtualWorkspaces).orElseGet(KcpSandbox::noVirtualWorkspaces),
            List.of(documents(options)),
            wiring.faults);
    var server =
        new ApiServer(
            identity,
            options.bindAddress(),
            options.port(),
            parts,
            wiring.store,
            wiring.pipeline,
            wiring.clock,
            ready::get);
    bind(server, options);
    server.start();
    URI url = server.url();
    wiring.url.set(url);
    wiring.kcp.ifPresent(Kcp::start);
    String kubeconfig =
        kcp
            ? Kubeconfigs.kcp(url, wiring.authority.certificatePem(), wiring.adminTokens)
            : Kubeconfigs.kubernetes(url, wiring.authority.certificatePem(), wiring.adminTokens);
    Path file = options.rootDirectory().resolve(KUBECONFIG_FILE);
    Kubeconfigs.write(file, kubeconfig);
    ready.set(true);
    return new KcpSandbox(wiring, server, url, kubeconfig, file);
  }

  private static void bind(ApiServer server, ServerOptions options) {
    try {
      server.bind();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot listen on "
              + options.bindAddress()
              + ":"
              + options.port()
              + ": "
              + e.getMessage()
              + "; choose another --secure-port",
          e);
    }
  }

  private static DocumentSource documents(ServerOptions options) {
    return new DiscoveryDocuments(options.bindAddress() + ":" + options.port());
  }

  private static ResourceCatalog wildcard(Wiring wiring) {
    var catalog = new CompositeCatalog();
    catalog.add(wiring.builtIns);
    wiring.kcp.ifPresent(kcp -> catalog.add(kcp.wildcard()));
    return catalog;
  }

  private static VirtualWorkspaces noVirtualWorkspaces() {
    return (_, _) -> {
      throw ApiFailure.pageNotFound();
    };
  }

  /** Such as {@code https://127.0.0.1:6443}: no slash at the end. */
  public URI url() {
    return url;
  }

  /** The administrators' kubeconfig, as text. */
  public String kubeconfig() {
    return kubeconfig;
  }

  /** Where the administrators' kubeconfig was written. */
  public Path kubeconfigFile() {
    return kubeconfigFile;
  }

  /** What goes wrong on purpose: nothing, until something is put on the menu. */
  public FaultMenu faults() {
    return wiring.faults;
  }

  @Override
  public void close() {
    server.close();
    wiring.close();
  }
}
