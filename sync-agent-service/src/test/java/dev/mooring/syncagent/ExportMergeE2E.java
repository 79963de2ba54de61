package dev.mooring.syncagent;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class ExportMergeE2E extends ExportMergeContract {
  @TempDir private static Path directory;
  private static TestKcp kcp;

  @BeforeAll
  static void finds() {
    kcp = TestKcp.running(directory);
  }

  @Override
  TestKcp kcp() {
    return kcp;
  }

  @Override
  Path directory() {
    return directory;
  }
}
