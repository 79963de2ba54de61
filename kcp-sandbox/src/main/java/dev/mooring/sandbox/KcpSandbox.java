package dev.mooring.sandbox;

import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.kcp.Kcp;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A kcp-compatible (or plain Kubernetes) API server inside this JVM. Objects live in memory until
 * it is closed; certificates and tokens are kept in its root directory. Thread-safe.
 */
public final class KcpSandbox implements AutoCloseable {
  static final String KUBECONFIG_FILE = "admin.kubeconfig";

  private final Assembly assembly;
  private final Listeners listeners;
  private final URI url;
  private final String kubeconfig;
  private final Path kubeconfigFile;

  private KcpSandbox(
      Assembly assembly, Listeners listeners, URI url, String kubeconfig, Path kubeconfigFile) {
    this.assembly = assembly;
    this.listeners = listeners;
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
    var assembly = new Assembly(options);
    try {
      return start(options, assembly);
    } catch (RuntimeException e) {
      assembly.close();
      throw e;
    }
  }

  private static KcpSandbox start(ServerOptions options, Assembly assembly) {
    boolean kcp = options.mode() == ServerOptions.Mode.KCP;
    var ready = new AtomicBoolean();
    var listeners = new Listeners(options, assembly, ready::get);
    try {
      URI url = listeners.open();
      assembly.url.set(url);
      assembly.shardUrls.set(listeners.shards());
      assembly.kcp.ifPresent(Kcp::start);
      String kubeconfig =
          kcp
              ? Kubeconfigs.kcp(url, assembly.authority.certificatePem(), assembly.adminTokens)
              : Kubeconfigs.kubernetes(
                  url, assembly.authority.certificatePem(), assembly.adminTokens);
      Path file = options.rootDirectory().resolve(KUBECONFIG_FILE);
      Kubeconfigs.write(file, kubeconfig);
      ready.set(true);
      return new KcpSandbox(assembly, listeners, url, kubeconfig, file);
    } catch (RuntimeException e) {
      listeners.close();
      throw e;
    }
  }

  /** Such as {@code https://127.0.0.1:6443}: no slash at the end. */
  public URI url() {
    return url;
  }

  /**
   * Where each shard is reached by itself, by name, beginning with {@code root}; the server's own
   * URL if it is the only one.
   */
  public Map<String, URI> shards() {
    return Map.copyOf(listeners.shards());
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
  public FaultInjector faults() {
    return assembly.faults;
  }

  @Override
  public void close() {
    listeners.close();
    assembly.close();
  }
}
