package dev.mooring.depcontroller.control;

import dev.mooring.runtime.testing.TestSandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class SchemaUpgradeIT extends SchemaUpgradeContract {
  private static TestSandbox sandbox;

  @BeforeAll
  static void starts(@TempDir Path directory) {
    sandbox = TestSandbox.start(directory);
    enter(sandbox.kcp());
  }

  @AfterAll
  static void stops() {
    leave();
    sandbox.close();
  }
}
