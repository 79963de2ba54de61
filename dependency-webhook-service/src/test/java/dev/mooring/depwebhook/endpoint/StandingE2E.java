package dev.mooring.depwebhook.endpoint;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a real kcp. */
class StandingE2E extends StandingContract {
  @BeforeAll
  static void finds(@TempDir Path directory) throws Exception {
    enter(Landscape.on(TestKcp.running(directory), directory));
  }
}
