package dev.mooring.syncagent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class PublishingE2E extends PublishingContract {
  @TempDir private static Path directory;

  @BeforeAll
  static void finds() {
    String kubeconfig = System.getenv("KCP_KUBECONFIG");
    assumeTrue(kubeconfig != null, "skipped: no kcp (KCP_KUBECONFIG is not set)");
    enter(Path.of(kubeconfig), directory);
  }

  @AfterAll
  static void leaves() {
    leave();
  }
}
