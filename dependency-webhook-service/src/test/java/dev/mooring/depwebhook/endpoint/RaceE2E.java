package dev.mooring.depwebhook.endpoint;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a real kcp. */
class RaceE2E extends RaceContract {
  @BeforeAll
  static void finds(@TempDir Path directory) throws Exception {
    enter(WebhookEnvironment.on(TestKcp.running(directory), directory), directory);
  }

  @Override
  int pairs() {
    return 1_000;
  }

  @Override
  int pairsUntilOneGoesWrong() {
    return 1_000;
  }
}
