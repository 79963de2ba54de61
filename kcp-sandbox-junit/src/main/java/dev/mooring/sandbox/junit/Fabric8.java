package dev.mooring.sandbox.junit;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.function.Consumer;

/** fabric8's client. Loaded only where a parameter asks for it: fabric8 may be absent. */
final class Fabric8 {
  private static final String CLIENT = "io.fabric8.kubernetes.client.KubernetesClient";

  private Fabric8() {}

  /** By name: loads no class of fabric8. */
  static boolean isClient(Class<?> type) {
    return type.getName().equals(CLIENT);
  }

  static KubernetesClient client(KcpConnection connection) {
    Config config = Config.fromKubeconfig(connection.kubeconfig());
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /**
   * @param atEnd receives what closes the client
   */
  static KubernetesClient client(KcpConnection connection, Consumer<Runnable> atEnd) {
    KubernetesClient client = client(connection);
    atEnd.accept(client::close);
    return client;
  }
}
