package dev.mooring.depwebhook.race;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class RegisterE2E extends RegisterContract {
  @BeforeAll
  static void finds() {
    String file = System.getenv("KCP_KUBECONFIG");
    assumeTrue(file != null, "skipped: no kcp (KCP_KUBECONFIG is not set)");
    enter(Path.of(file));
  }
}
