package dev.mooring.sandbox.kube;

import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.security.admin.Kubeconfigs;
import java.net.URI;
import java.nio.file.Path;

/**
 * A running API server inside this JVM, plain Kubernetes or kcp. Objects live in memory until it is
 * closed, unless they have a data directory; certificates and tokens are kept in its root
 * directory. Where the JVM has no virtual thread yet, and no option for it, its virtual threads get
 * 64 carriers. Thread-safe.
 */
public abstract class Sandbox implements AutoCloseable {
  private final SandboxContext context;
  private final URI url;
  private final String kubeconfig;

  /** Writes the kubeconfig into the root directory. */
  protected Sandbox(SandboxContext context, URI url, String kubeconfig) {
    this.context = context;
    this.url = url;
    this.kubeconfig = kubeconfig;
    Kubeconfigs.write(context.options().kubeconfigFile(), kubeconfig);
  }

  /** Such as {@code https://127.0.0.1:6443}: no slash at the end. */
  public final URI url() {
    return url;
  }

  /** The administrators' kubeconfig, as text. */
  public final String kubeconfig() {
    return kubeconfig;
  }

  /** Where the administrators' kubeconfig was written. */
  public final Path kubeconfigFile() {
    return context.options().kubeconfigFile();
  }

  /** Injects faults into requests; none at first. */
  public final FaultInjector faults() {
    return context.faults();
  }

  @Override
  public abstract void close();
}
