package dev.mooring.depwebhook.race;

import dev.mooring.runtime.testing.TestWorkspaces;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class RegisterIT extends RegisterContract {
  @BeforeAll
  static void starts(@TempDir Path directory) {
    enter(TestWorkspaces.onSandbox(directory));
  }
}
