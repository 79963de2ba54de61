package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.lease.LeaseTerms;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.trace.Telemetry;
import dev.mooring.runtime.trace.Tracing;
import dev.mooring.syncagent.agent.AgentSettings;
import dev.mooring.syncagent.agent.ReplicaMode;
import dev.mooring.syncagent.agent.ServiceCluster;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.publish.PublishSettings;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.Publishing;
import dev.mooring.syncagent.sync.SyncSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * How an agent is started between two clusters.
 *
 * @param service kubeconfig of the service cluster
 * @param kcp kubeconfig whose context points at the workspace of the endpoint slice
 * @param selector which PublishedResources are its own; empty for all
 * @param replica identity among several; empty if there is one
 */
record AgentStart(
    Path service,
    Path kcp,
    String slice,
    String agentName,
    String selector,
    Optional<String> replica,
    ReplicaMode mode) {
  /** Far longer than anything takes; only failing tests wait for it. */
  static final Duration PATIENCE = Duration.ofSeconds(120);

  /** Alone, with everybody's PublishedResources and the export that kcp made a slice for. */
  static AgentStart between(TwoClusters clusters) {
    return new AgentStart(
        clusters.serviceKubeconfig(),
        clusters.kcpKubeconfig(),
        "certs",
        "certs-syncagent",
        "",
        Optional.empty(),
        ReplicaMode.STANDBY);
  }

  AgentStart toService(Path kubeconfig) {
    return new AgentStart(kubeconfig, kcp, slice, agentName, selector, replica, mode);
  }

  AgentStart toKcp(Path kubeconfig) {
    return new AgentStart(service, kubeconfig, slice, agentName, selector, replica, mode);
  }

  AgentStart by(GatedConnections connections) {
    return toService(connections.serviceKubeconfig()).toKcp(connections.kcpKubeconfig());
  }

  AgentStart following(String otherSlice) {
    return new AgentStart(service, kcp, otherSlice, agentName, selector, replica, mode);
  }

  AgentStart called(String name, String ownResources) {
    return new AgentStart(service, kcp, slice, name, ownResources, replica, mode);
  }

  /** As one of several replicas. */
  AgentStart competingAs(String identity) {
    return new AgentStart(service, kcp, slice, agentName, selector, Optional.of(identity), mode);
  }

  /** As one of several replicas that share the work. */
  AgentStart sharingAs(String identity) {
    return new AgentStart(
        service, kcp, slice, agentName, selector, Optional.of(identity), ReplicaMode.SHARING);
  }

  AgentSettings settings() {
    return new AgentSettings(
        new ServiceCluster(Optional.of(service), Optional.empty(), Optional.empty()),
        kcp,
        EndpointOverrides.NONE,
        selector,
        replica.map(
            identity -> LeaseTerms.of("default", AgentSettings.LEASE_PREFIX + agentName, identity)),
        mode,
        new PublishSettings(agentName, slice, "", Publishing.MANAGED, Map.of(), Set.of()),
        new SyncSettings(agentName, Adoption.UNCLAIMED, 4, "default"));
  }

  SyncAgent start() {
    return SyncAgent.start(
        settings(),
        new Telemetry(new SimpleMeterRegistry(), Tracing.OFF),
        SystemTime.clocks(),
        SystemTime.scheduler());
  }

  /**
   * As whoever starts the Go agent starts it: without ports, unless flags name some.
   *
   * @param more of several that set one thing the last one counts
   */
  ConfigurableApplicationContext startByFlags(String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "--agent-name=" + agentName,
                "--apiexportendpointslice-ref",
                slice,
                "--kubeconfig",
                service.toString(),
                "--kcp-kubeconfig",
                kcp.toString(),
                "--namespace=default",
                "--metrics-address=0",
                "--log-format",
                "Console"));
    arguments.addAll(List.of(more));
    return SyncAgentApplication.run(
        (CommandLine.Start) CommandLine.read(arguments.toArray(String[]::new)));
  }

  static void awaitReady(SyncAgent agent) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(agent.reasons()).isEmpty());
  }

  /** Until something of what keeps the agent from its work begins like this. */
  static void awaitReason(SyncAgent agent, String beginning) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(agent.reasons()).anyMatch(reason -> reason.startsWith(beginning)));
  }
}
