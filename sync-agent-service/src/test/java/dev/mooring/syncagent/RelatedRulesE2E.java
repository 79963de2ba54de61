package dev.mooring.syncagent;

import dev.mooring.runtime.testing.TestKcp;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** On the real kcp that {@code KCP_KUBECONFIG} names. */
class RelatedRulesE2E extends RelatedRulesContract {
  @TempDir private static Path directory;
  private static PublishingBench bench;

  @BeforeAll
  static void finds() {
    bench = new PublishingBench(TestKcp.running(directory), directory);
  }

  @AfterAll
  static void leaves() {
    if (bench != null) {
      bench.close();
    }
  }

  @Override
  PublishingBench bench() {
    return bench;
  }
}
