package dev.mooring.harness;

import java.nio.file.Files;
import java.nio.file.Path;

/** Which kcp the suite works with. */
public sealed interface KcpChoice {
  /**
   * The sandbox, started by the suite: a process of its own. With several shards it listens on any
   * free ports.
   *
   * @param shards as many as its options allow
   */
  record Sandbox(int shards) implements KcpChoice {
    /** With one shard. */
    public Sandbox() {
      this(1);
    }
  }

  /**
   * A kcp that already runs and outlives the suite.
   *
   * @param kubeconfig of a user who may create workspaces below {@code root}
   */
  record Existing(Path kubeconfig) implements KcpChoice {}

  /**
   * The kcp of {@code KCP_KUBECONFIG} if that is set, else the sandbox, with as many shards as
   * {@code KCP_SHARDS} says.
   */
  static KcpChoice fromEnvironment() {
    String file = System.getenv("KCP_KUBECONFIG");
    if (file == null || file.isBlank()) {
      String shards = System.getenv("KCP_SHARDS");
      return shards == null || shards.isBlank()
          ? new Sandbox()
          : new Sandbox(Integer.parseInt(shards.strip()));
    }
    Path kubeconfig = Path.of(file).toAbsolutePath().normalize();
    HarnessFailure.unless(
        Files.isReadable(kubeconfig),
        "KCP_KUBECONFIG names "
            + kubeconfig
            + ", which cannot be read. Unset it to use the sandbox.");
    return new Existing(kubeconfig);
  }
}
