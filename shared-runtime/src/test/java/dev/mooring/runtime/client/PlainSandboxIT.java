package dev.mooring.runtime.client;

import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * On the sandbox as a plain Kubernetes API server, which is what the service cluster is in demos.
 */
class PlainSandboxIT extends ClusterContract {
  @TempDir private static Path directory;
  private static KubeSandbox sandbox;
  private static KubeConnection connection;

  @BeforeAll
  static void starts() {
    sandbox = KubeSandbox.start(KubeOptions.in(directory));
    connection =
        KubeConnection.fromKubeconfig(
            sandbox.kubeconfigFile(), ConnectionOptions.of("runtime-test"));
  }

  @AfterAll
  static void stops() {
    connection.close();
    sandbox.close();
  }

  @Override
  KubeClient client() {
    return connection.client();
  }
}
