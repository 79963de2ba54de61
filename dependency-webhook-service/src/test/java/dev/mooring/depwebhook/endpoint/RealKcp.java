package dev.mooring.depwebhook.endpoint;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;

/** The real kcp that {@code KCP_KUBECONFIG} names, which must reach this machine's loopback. */
final class RealKcp {
  private RealKcp() {}

  /** Skips the tests where there is none. */
  static Path kubeconfig() {
    String file = System.getenv("KCP_KUBECONFIG");
    assumeTrue(file != null, "skipped: no kcp (KCP_KUBECONFIG is not set)");
    return Path.of(file);
  }
}
