package dev.mooring.syncagent;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class CrdLimitsE2E extends CrdLimitsContract {
  @TempDir private static Path directory;

  @BeforeAll
  static void finds() {
    enter(TestKcp.running(directory), directory);
  }

  @AfterAll
  static void leaves() {
    leave();
  }
}
