package dev.mooring.sandbox;

import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * A kcp-compatible (or plain Kubernetes) API server inside this JVM. Objects live in memory until
 * it is closed; certificates and tokens are kept in its root directory. Thread-safe.
 */
public final class KcpSandbox implements AutoCloseable {
  static final String KUBECONFIG_FILE = "admin.kubeconfig";

  private final FaultInjector faults;
  private final Lifecycles lifecycles;
  private final Listeners listeners;
  private final String kubeconfig;
  private final Path kubeconfigFile;

  private KcpSandbox(
      FaultInjector faults,
      Lifecycles lifecycles,
      Listeners listeners,
      String kubeconfig,
      Path kubeconfigFile) {
    this.faults = faults;
    this.lifecycles = lifecycles;
    this.listeners = listeners;
    this.kubeconfig = kubeconfig;
    this.kubeconfigFile = kubeconfigFile;
  }

  /**
   * A running server; it is ready when this returns.
   *
   * @throws UncheckedIOException if the port is taken, or the root directory cannot be written
   */
  public static KcpSandbox start(ServerOptions options) {
    var clock = Clock.systemUTC();
    var certificates = Certificates.of(options, clock);
    var listeners = Listeners.bind(options, certificates, clock);
    var lifecycles = new Lifecycles();
    try {
      var assembly =
          new Assembly(
              options, clock, certificates, lifecycles, listeners.url(), listeners.shards());
      lifecycles.start();
      String kubeconfig = kubeconfig(options.mode(), listeners.url(), assembly);
      Path file = options.rootDirectory().resolve(KUBECONFIG_FILE);
      Kubeconfigs.write(file, kubeconfig);
      listeners.start(assembly);
      return new KcpSandbox(assembly.faults, lifecycles, listeners, kubeconfig, file);
    } catch (RuntimeException e) {
      listeners.close();
      lifecycles.close();
      throw e;
    }
  }

  private static String kubeconfig(ServerOptions.Mode mode, URI url, Assembly assembly) {
    String authority = assembly.certificates.authority().certificatePem();
    AdminTokens tokens = assembly.security.adminTokens();
    return switch (mode) {
      case KCP -> Kubeconfigs.kcp(url, authority, tokens);
      case KUBERNETES -> Kubeconfigs.kubernetes(url, authority, tokens);
    };
  }

  /** Such as {@code https://127.0.0.1:6443}: no slash at the end. */
  public URI url() {
    return listeners.url();
  }

  /**
   * Where each shard is reached by itself, by name, beginning with {@code root}; the server's own
   * URL if it is the only one.
   */
  public Map<String, URI> shards() {
    return listeners.shards();
  }

  /** The administrators' kubeconfig, as text. */
  public String kubeconfig() {
    return kubeconfig;
  }

  /** Where the administrators' kubeconfig was written. */
  public Path kubeconfigFile() {
    return kubeconfigFile;
  }

  /** Injects faults into requests; none at first. */
  public FaultInjector faults() {
    return faults;
  }

  @Override
  public void close() {
    listeners.close();
    lifecycles.close();
  }
}
