package dev.mooring.benchmarks.sync;

import static org.assertj.core.api.Assertions.assertThat;

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
                  "--agent=" + java() + " -jar " + jar,
                  "--crd=../charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml",
                  "--objects=20",
                  "--workspaces=2",
                  "--latency-seconds=2",
                  "--idle-seconds=3",
                  "--many=30",
                  "--directory=" + directory.resolve("run"),
                  "--port=" + PortPlan.freeNeighbours(1),
                  "--json=" + json);
      assertThat(exit).isZero();
    }
    figures = KubeJson.readObject(Files.readAllBytes(json));
  }

  @Test
  void anObjectOnItsWayDownCostsAtMostSixRequests() {
    assertThat(figure("down, 20 objects [requests/object]")).isBetween(2.0, 6.0);
  }

  @Test
  void aChangeOfStatusCostsTwoRequests() {
    assertThat(figure("status up, 20 objects [requests/object]")).isBetween(2.0, 2.5);
  }

  @Test
  void aDeletionCostsThreeRequestsOrFourIfItIsSlow() {
    assertThat(figure("deletion, 20 objects [requests/object]")).isBetween(3.0, 4.5);
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
