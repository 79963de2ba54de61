package dev.mooring.sandbox;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a class that share a plain Kubernetes, as its administrator. */
public abstract class OnKubernetesSandbox {
  protected static KcpSandbox sandbox;
  protected static SandboxClient client;

  @BeforeAll
  static void start(@TempDir Path root) {
    sandbox = KcpSandbox.start(ServerOptions.in(root).withMode(ServerOptions.Mode.KUBERNETES));
    client = SandboxClient.of(sandbox, "kubernetes-admin");
  }

  @AfterAll
  static void stop() {
    sandbox.close();
  }
}
