package dev.mooring.depwebhook.endpoint;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a real kcp. */
class RememberedE2E extends RememberedContract {
  @BeforeAll
  static void finds(@TempDir Path directory) throws Exception {
    enter(WebhookEnvironment.on(TestKcp.running(directory), directory));
  }
}
