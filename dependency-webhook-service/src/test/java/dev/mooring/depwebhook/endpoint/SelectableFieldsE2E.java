package dev.mooring.depwebhook.endpoint;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a real kcp, if it is newer than 0.32: an older one drops what a schema declares. */
class SelectableFieldsE2E extends SelectableFieldsContract {
  @BeforeAll
  static void finds(@TempDir Path directory) throws Exception {
    enter(WebhookEnvironment.on(TestKcp.running(directory), directory));
    assumeTrue(served(), "this kcp does not serve selectable fields");
  }
}
