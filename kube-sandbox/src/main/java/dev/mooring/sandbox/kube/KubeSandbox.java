package dev.mooring.sandbox.kube;

import dev.mooring.sandbox.security.admin.Kubeconfigs;
import dev.mooring.sandbox.storage.ResourceStore;
import java.io.UncheckedIOException;
import java.util.Set;

/** A plain Kubernetes API server, which runs no workloads. Thread-safe. */
public final class KubeSandbox extends Sandbox {
  /** Of the objects in a data directory. */
  private static final String STORE = "root";

  private final ResourceStore store;
  private final KubeServer server;

  private KubeSandbox(SandboxContext context, ResourceStore store, KubeServer server) {
    super(
        context,
        server.url(),
        Kubeconfigs.kubernetes(server.url(), context.authority(), context.adminTokens()));
    this.store = store;
    this.server = server;
  }

  /**
   * A running server; it is ready when this returns.
   *
   * @throws UncheckedIOException if the port is taken, or the root or data directory cannot be
   *     written
   * @throws IllegalStateException if the data directory is another server's
   */
  public static KubeSandbox start(KubeOptions options) {
    var context = SandboxContext.of(options, Distribution.kubernetes());
    context.faults().onShards(KubeSandbox::refuse);
    ResourceStore store = context.store(STORE, 1);
    try {
      return start(context, store);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static KubeSandbox start(SandboxContext context, ResourceStore store) {
    var server = KubeServer.plain(context, store, context.bind(context.options().port()));
    try {
      context.requireSameData(server.url(), 1);
      server.start();
      return new KubeSandbox(context, store, server);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private static void refuse(Set<String> shards) {
    if (!shards.isEmpty()) {
      throw new IllegalArgumentException("only kcp has shards; plain Kubernetes is one server");
    }
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
