package dev.mooring.syncagent;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class RealCrdsE2E extends RealCrdsContract {
  @TempDir private static Path directory;

  @BeforeAll
  static void finds() throws Exception {
    TestKcp kcp = TestKcp.running(directory);
    folder();
    enter(kcp, directory, Projected.NO);
  }

  @AfterAll
  static void leaves() {
    leave();
  }
}
