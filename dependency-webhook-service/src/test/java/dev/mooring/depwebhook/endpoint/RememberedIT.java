package dev.mooring.depwebhook.endpoint;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class RememberedIT extends RememberedContract {
  private static OnSandbox sandbox;

  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    sandbox = OnSandbox.start(directory, 1);
    enter(sandbox.landscape(directory));
  }

  @AfterAll
  static void stops() {
    leave();
    sandbox.close();
  }
}
