package dev.mooring.runtime.client;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class KcpE2E extends KcpContract {
  @BeforeAll
  static void finds(@TempDir Path directory) {
    enter(TestKcp.running(directory));
  }

  @AfterAll
  static void leaves() {
    leave();
  }
}
