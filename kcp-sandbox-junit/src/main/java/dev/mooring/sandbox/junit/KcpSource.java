package dev.mooring.sandbox.junit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Where a test gets its kcp from. */
sealed interface KcpSource {
  String KUBECONFIG = "KCP_KUBECONFIG";
  String IMAGE = "KCP_IMAGE";

  /** The kcp that this version of the extension is tested with. */
  String DEFAULT_IMAGE = "ghcr.io/kcp-dev/kcp:v0.32.3";

  /** A sandbox in this JVM. */
  record Sandbox(int shards) implements KcpSource {}

  /** A kcp that runs already and outlives the tests. */
  record Running(Path kubeconfig) implements KcpSource {}

  /** An image of kcp, started by Testcontainers. */
  record Image(String name, WithoutEngine otherwise) implements KcpSource {}

  /** What becomes of the tests where no container engine is. */
  enum WithoutEngine {
    /** The environment of this run asks for the image. */
    FAIL,
    /** Only the test asks for a real kcp. */
    SKIP
  }

  /**
   * @param environment variables of this process
   * @throws KcpProblem if a variable names what cannot be
   */
  static KcpSource of(WithKcp wanted, Map<String, String> environment) {
    if (wanted.on() == WithKcp.Kcp.SANDBOX) {
      return new Sandbox(wanted.shards());
    }
    String kubeconfig = environment.getOrDefault(KUBECONFIG, "");
    String image = environment.getOrDefault(IMAGE, "");
    if (!kubeconfig.isBlank() && !image.isBlank()) {
      throw new KcpProblem(
          KUBECONFIG + " and " + IMAGE + " are both set, but tests run on one kcp: unset one");
    }
    if (!kubeconfig.isBlank()) {
      return running(Path.of(kubeconfig).toAbsolutePath().normalize());
    }
    if (!image.isBlank()) {
      return new Image(image, WithoutEngine.FAIL);
    }
    return wanted.on() == WithKcp.Kcp.REAL
        ? new Image(DEFAULT_IMAGE, WithoutEngine.SKIP)
        : new Sandbox(wanted.shards());
  }

  private static Running running(Path kubeconfig) {
    if (!Files.isReadable(kubeconfig)) {
      throw new KcpProblem(
          "%s names %s, which cannot be read: correct it, or unset it to use the sandbox"
              .formatted(KUBECONFIG, kubeconfig));
    }
    return new Running(kubeconfig);
  }
}
