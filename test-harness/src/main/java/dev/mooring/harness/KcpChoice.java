package dev.mooring.harness;

import java.nio.file.Files;
import java.nio.file.Path;

/** Which kcp the suite works with. */
public sealed interface KcpChoice {
  /** The sandbox, started by the suite. */
  record Sandbox() implements KcpChoice {}

  /**
   * A kcp that already runs and outlives the suite.
   *
   * @param kubeconfig of a user who may create workspaces below {@code root}
   */
  record Existing(Path kubeconfig) implements KcpChoice {}

  /** The kcp of {@code KCP_KUBECONFIG} if that is set, else the sandbox. */
  static KcpChoice fromEnvironment() {
    String file = System.getenv("KCP_KUBECONFIG");
    if (file == null || file.isBlank()) {
      return new Sandbox();
    }
    Path kubeconfig = Path.of(file).toAbsolutePath().normalize();
    if (!Files.isReadable(kubeconfig)) {
      throw new HarnessFailure(
          "KCP_KUBECONFIG names "
              + kubeconfig
              + ", which cannot be read. Unset it to use the sandbox.");
    }
    return new Existing(kubeconfig);
  }
}
