package dev.mooring.syncagent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class ExportMergeE2E extends ExportMergeContract {
  @TempDir private static Path directory;

  @BeforeAll
  static void finds() {
    assumeTrue(
        System.getenv("KCP_KUBECONFIG") != null, "skipped: no kcp (KCP_KUBECONFIG is not set)");
  }

  @Override
  Path kubeconfig() {
    return Path.of(System.getenv("KCP_KUBECONFIG"));
  }

  @Override
  Path directory() {
    return directory;
  }
}
