package dev.mooring.syncagent;

import dev.mooring.runtime.testing.TestSandbox;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the sandbox. */
class RelatedRulesIT extends RelatedRulesContract {
  @TempDir private static Path directory;
  private static TestSandbox sandbox;
  private static PublishingBench bench;

  @BeforeAll
  static void starts() {
    sandbox = TestSandbox.start(directory.resolve("kcp"));
    bench = new PublishingBench(sandbox.kcp(), directory);
  }

  @AfterAll
  static void stops() {
    if (bench != null) {
      bench.close();
    }
    sandbox.close();
  }

  @Override
  PublishingBench bench() {
    return bench;
  }
}
