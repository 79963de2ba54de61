package dev.mooring.syncagent;

import dev.mooring.runtime.testing.TestSandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class CrdLimitsIT extends CrdLimitsContract {
  @TempDir private static Path directory;
  private static TestSandbox sandbox;

  @BeforeAll
  static void starts() {
    sandbox = TestSandbox.start(directory.resolve("kcp"));
    enter(sandbox.kcp(), directory);
  }

  @AfterAll
  static void stops() {
    leave();
    sandbox.close();
  }
}
