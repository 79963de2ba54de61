package dev.mooring.depwebhook.endpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a real kcp. */
class RememberedE2E extends RememberedContract {
  @BeforeAll
  static void finds(@TempDir Path directory) throws Exception {
    enter(Landscape.on(RealKcp.kubeconfig(), directory));
  }
}
