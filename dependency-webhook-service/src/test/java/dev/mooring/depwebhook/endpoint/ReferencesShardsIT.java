package dev.mooring.depwebhook.endpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** On a sandbox of two shards, with a consumer on each. */
@Tag("full")
class ReferencesShardsIT extends ReferencesContract {
  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    enter(WebhookEnvironment.onSandbox(directory, 2));
  }
}
