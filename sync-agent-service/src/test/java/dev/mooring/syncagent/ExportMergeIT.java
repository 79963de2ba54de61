package dev.mooring.syncagent;

import dev.mooring.runtime.testing.TestKcp;
import dev.mooring.runtime.testing.TestSandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class ExportMergeIT extends ExportMergeContract {
  @TempDir private static Path directory;
  private static TestSandbox sandbox;

  @BeforeAll
  static void starts() {
    sandbox = TestSandbox.start(directory.resolve("kcp"));
  }

  @AfterAll
  static void stops() {
    sandbox.close();
  }

  @Override
  TestKcp kcp() {
    return sandbox.kcp();
  }

  @Override
  Path directory() {
    return directory;
  }
}
