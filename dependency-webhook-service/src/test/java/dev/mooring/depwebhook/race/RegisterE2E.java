package dev.mooring.depwebhook.race;

import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class RegisterE2E extends RegisterContract {
  @BeforeAll
  static void finds(@TempDir Path directory) {
    enter(TestWorkspaces.on(TestKcp.running(directory)));
  }
}
