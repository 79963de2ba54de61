package dev.mooring.depwebhook.endpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a sandbox of two shards. */
class RaceShardsIT extends RaceContract {
  private static OnSandbox sandbox;

  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    sandbox = OnSandbox.start(directory, 2);
    enter(sandbox.landscapeAcrossShards(directory), directory);
  }

  @AfterAll
  static void stops() {
    leave();
    sandbox.close();
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
