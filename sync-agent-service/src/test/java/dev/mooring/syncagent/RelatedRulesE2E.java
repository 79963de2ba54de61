package dev.mooring.syncagent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
    String kubeconfig = System.getenv("KCP_KUBECONFIG");
    assumeTrue(kubeconfig != null, "skipped: no kcp (KCP_KUBECONFIG is not set)");
    bench = new PublishingBench(Path.of(kubeconfig), directory);
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
