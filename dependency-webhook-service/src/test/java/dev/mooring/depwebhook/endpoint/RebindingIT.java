package dev.mooring.depwebhook.endpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
@Tag("full")
class RebindingIT extends RebindingContract {
  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    enter(WebhookEnvironment.onSandbox(directory, 1));
  }
}
