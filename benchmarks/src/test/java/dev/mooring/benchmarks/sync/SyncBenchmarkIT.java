package dev.mooring.benchmarks.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.size.SyncCosts;
import dev.mooring.harness.PortPlan;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * A small run of the whole benchmark, which itself fails if a copy or an event is missing. Counts
 * are asserted, with room for a conflict now and then; durations never.
 */
@Tag("full")
class SyncBenchmarkIT {
  private static final Path AGENT = Path.of("../sync-agent-service");

  @TempDir private static Path directory;
  private static KubeObject figures;

  @BeforeAll
  static void measures() throws IOException {
    Path jar = AGENT.resolve("target/sync-agent-service/sync-agent-service.jar");
    assertThat(jar).as("the agent's jar; build it by ./mvnw -DskipTests package").exists();
    Path json = directory.resolve("figures.json");
    try (var kcp = KcpSandbox.start(ServerOptions.in(directory.resolve("kcp")))) {
      int exit =
          new CommandLine(new SyncBenchmark())
              .execute(
                  "--kubeconfig=" + kcp.kubeconfigFile(),
                  "--agent="
                      + java()
                      + " @../images/options/sync-agent-service.options -jar "
                      + jar,
                  "--crd=../charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml",
                  // The first compile most of what the second use.
                  "--objects=2000,1000",
                  "--workspaces=2",
                  "--latency-seconds=2",
                  "--idle-seconds=3",
                  "--many=3000",
                  "--directory=" + directory.resolve("run"),
                  "--port=" + PortPlan.freeNeighbours(1),
                  "--json=" + json);
      assertThat(exit).isZero();
    }
    figures = KubeJson.readObject(Files.readAllBytes(json));
  }

  /** An Event more where an object takes longer than two seconds. */
  @ParameterizedTest
  @CsvSource({
    "down," + SyncCosts.DOWN,
    "status up," + SyncCosts.STATUS,
    "deletion," + SyncCosts.DELETION
  })
  void anObjectCostsTheRequestsOfThePageOnScaling(String phase, double requests) {
    assertThat(figure(phase + ", 1000 objects [requests/object]"))
        .isBetween(requests, requests + 1.01);
  }

  @ParameterizedTest
  @CsvSource({
    "down," + SyncCosts.DOWN_CPU,
    "status up," + SyncCosts.STATUS_CPU,
    "deletion," + SyncCosts.DELETION_CPU
  })
  void anObjectCostsTheProcessorTimeOfThePageWithinAFactorOfTwo(String phase, double millis) {
    assertThat(figure(phase + ", 1000 objects [ms of processor time/object]"))
        .isBetween(millis / 2, millis * 2);
  }

  @Test
  void objectsTakeTheHeapOfThePageOnScalingWithinAFactorOfTwo() {
    double size = KubeJson.write(Types.parcel("many-1000").tree()).length / 1024.0;
    double heap =
        SyncCosts.EMPTY_HEAP
            + 3000 * (SyncCosts.OBJECT_HEAP + SyncCosts.CONTENT_HEAP * size) / 1024;

    assertThat(figure("live heap, 3000 objects [MiB]")).isBetween(heap / 2, heap * 2);
  }

  @Test
  void anIdleAgentAsksForNothing() {
    assertThat(figure("idle [requests]")).isZero();
  }

  @Test
  void aRestartWritesNothing() {
    assertThat(figure("objects rewritten by a restart")).isZero();
  }

  private static double figure(String name) {
    return ((Number) figures.map("mooring").get(name)).doubleValue();
  }

  private static String java() {
    return ProcessHandle.current().info().command().orElse("java");
  }
}
