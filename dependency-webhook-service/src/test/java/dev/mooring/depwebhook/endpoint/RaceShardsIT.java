package dev.mooring.depwebhook.endpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** On a sandbox of two shards. */
@Tag("full")
class RaceShardsIT extends RaceContract {
  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    enter(WebhookEnvironment.onSandbox(directory, 2), directory);
  }

  @Override
  int pairs() {
    return 40;
  }

  @Override
  int pairsUntilOneGoesWrong() {
    return 800;
  }
}
