package dev.mooring.syncagent.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.trace.Telemetry;
import dev.mooring.runtime.trace.Tracing;
import dev.mooring.syncagent.publish.PublishSettings;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.Publishing;
import dev.mooring.syncagent.sync.SyncSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncAgentTest {
  /** Far longer than it takes; only a failing test waits for it. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void connectsAfterAKubeconfigWithANamelessClusterIsMended() throws IOException {
    Path service = kubeconfig("service", "");
    Path kcp = kubeconfig("kcp", "{cluster: {server: 'https://127.0.0.1:2'}},");
    try (var agent =
        SyncAgent.start(
            settings(service, kcp),
            new Telemetry(new SimpleMeterRegistry(), Tracing.OFF),
            SystemTime.clocks(),
            SystemTime.scheduler())) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(agent.reasons()).doesNotContain("not started"));

      kubeconfig("kcp", "");

      await()
          .atMost(PATIENCE)
          .untilAsserted(() ->
              assertThat(agent.reasons())
                  .singleElement()
                  .asString()
                  .contains("points at https://127.0.0.1:1, which is no workspace"));
    }
  }

  /**
   * @param more clusters beside that of the context
   */
  private Path kubeconfig(String name, String more) throws IOException {
    return Files.writeString(
        directory.resolve(name),
        """
        apiVersion: v1
        kind: Config
        current-context: one
        contexts: [{name: one, context: {cluster: one, user: one}}]
        clusters: [%s {name: one, cluster: {server: "https://127.0.0.1:1"}}]
        users: [{name: one, user: {token: none}}]
        """
            .formatted(more));
  }

  private static AgentSettings settings(Path service, Path kcp) {
    return new AgentSettings(
        new ServiceCluster(Optional.of(service), Optional.empty(), Optional.empty()),
        kcp,
        EndpointOverrides.NONE,
        "",
        Optional.empty(),
        ReplicaMode.STANDBY,
        new PublishSettings("agent", "slice", "", Publishing.MANAGED, Map.of(), Set.of()),
        new SyncSettings("agent", Adoption.UNCLAIMED, 1, "default"));
  }
}
