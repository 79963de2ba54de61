package dev.mooring.syncagent;

import dev.mooring.runtime.testing.TestSandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
@Tag("full")
class RealProjectedCrdsIT extends RealCrdsContract {
  @TempDir private static Path directory;
  private static TestSandbox sandbox;

  @BeforeAll
  static void starts() throws Exception {
    folder();
    sandbox = TestSandbox.start(directory.resolve("kcp"));
    enter(sandbox.kcp(), directory, Projected.YES);
  }

  @AfterAll
  static void stops() {
    leave();
    if (sandbox != null) {
      sandbox.close();
    }
  }
}
