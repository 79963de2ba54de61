package dev.mooring.syncagent.agent;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;

/**
 * To the two servers that the agent works between.
 *
 * @param serviceClient one and the same for each connection
 */
public record Connections(KubeConnection service, KubeConnection kcp, KubeClient serviceClient)
    implements AutoCloseable {
  private static final String SERVICE = "sync-agent";

  /**
   * Asks neither server anything.
   *
   * @throws IllegalArgumentException saying which kubeconfig cannot be used, and why
   */
  static Connections open(AgentSettings settings) {
    ConnectionOptions options = ConnectionOptions.of(SERVICE);
    KubeConnection service = settings.serviceCluster().connect(options);
    try {
      KubeConnection kcp = KubeConnection.fromKubeconfig(settings.kcpKubeconfig(), options);
      String path = kcp.server().getPath();
      if (path == null || !path.contains("/clusters/")) {
        kcp.close();
        throw new IllegalArgumentException(
            ("the kcp kubeconfig %s points at %s, which is no workspace: its server has"
                    + " to end in /clusters/<workspace>")
                .formatted(settings.kcpKubeconfig(), kcp.server()));
      }
      return new Connections(service, kcp, service.client());
    } catch (RuntimeException e) {
      service.close();
      throw e;
    }
  }

  /** Whether kubeconfigs or certificates have changed since. */
  boolean outdated() {
    return service.outdated() || kcp.outdated();
  }

  @Override
  public void close() {
    service.close();
    kcp.close();
  }
}
