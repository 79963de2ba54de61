package dev.mooring.sandbox;

import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a class that share a plain Kubernetes, as its administrator. */
public abstract class OnKubernetesSandbox {
  protected static KubeSandbox sandbox;
  protected static SandboxClient client;

  @BeforeAll
  static void start(@TempDir Path root) {
    sandbox = KubeSandbox.start(KubeOptions.in(root));
    client = SandboxClient.of(sandbox, "kubernetes-admin");
  }

  @AfterAll
  static void stop() {
    sandbox.close();
  }
}
