package dev.mooring.depcontroller.control;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class SchemaUpgradeE2E extends SchemaUpgradeContract {
  @BeforeAll
  static void finds() {
    String kubeconfig = System.getenv("KCP_KUBECONFIG");
    assumeTrue(kubeconfig != null, "skipped: no kcp (KCP_KUBECONFIG is not set)");
    enter(Path.of(kubeconfig));
  }
}
