package dev.mooring.depwebhook.endpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On a sandbox of two shards, with a consumer on each. */
class IndexedShardsIT extends IndexedContract {
  private static OnSandbox sandbox;

  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    sandbox = OnSandbox.start(directory, 2);
    enter(sandbox.landscapeAcrossShards(directory));
  }

  @AfterAll
  static void stops() {
    leave();
    sandbox.close();
  }
}
