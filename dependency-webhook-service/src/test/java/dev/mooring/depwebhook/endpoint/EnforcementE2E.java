package dev.mooring.depwebhook.endpoint;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** On the real kcp that {@code KCP_KUBECONFIG} names, which must reach this machine's loopback. */
class EnforcementE2E extends EnforcementContract {
  @BeforeAll
  static void finds() throws Exception {
    String kubeconfig = System.getenv("KCP_KUBECONFIG");
    assumeTrue(kubeconfig != null, "skipped: no kcp (KCP_KUBECONFIG is not set)");
    enter(Path.of(kubeconfig));
  }
}
