package dev.mooring.syncagent.config;

import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.spring.CertificateWatch;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.trace.Telemetry;
import dev.mooring.runtime.trace.Tracing;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.endpoint.AgentConsole;
import dev.mooring.syncagent.endpoint.AgentMetrics;
import dev.mooring.syncagent.endpoint.ClustersHealthIndicator;
import dev.mooring.syncagent.endpoint.ResyncEndpoint;
import dev.mooring.syncagent.endpoint.StatusEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** Starts the agent with the application and stops it with it. */
@Configuration(proxyBeanMethods = false)
@Import({AgentMetrics.class, ResyncEndpoint.class, StatusEndpoint.class})
class SyncAgentConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(SyncAgentConfiguration.class);
  private static final String IDENTITY = identity();

  @Bean(destroyMethod = "close")
  @Lazy(false)
  SyncAgent syncAgent(SyncAgentProperties properties, MeterRegistry registry, Tracing tracing) {
    if (properties.serverSideApply()) {
      LOG.info(
          "server-side-apply has no effect: copies are written by three-way merge patches, which"
              + " keep the fields that others set");
    }
    return SyncAgent.start(
        properties.settings(IDENTITY),
        new Telemetry(registry, tracing),
        SystemTime.clocks(),
        SystemTime.scheduler());
  }

  @Bean(destroyMethod = "close")
  @Lazy(false)
  PlainEndpoints plainEndpoints(
      SyncAgentProperties properties, SyncAgent agent, PrometheusMeterRegistry registry) {
    return PlainEndpoints.start(properties, agent, registry);
  }

  /** The service cluster is not known before its kubeconfig can be read, and may change. */
  @Bean
  @ConditionalOnProperty(name = "mooring.sync-agent.endpoint-auth", matchIfMissing = true)
  AccessReviewer endpointCallers(SyncAgent agent) {
    return new AccessReviewer(agent::serviceCluster, SystemTime.steadyClock());
  }

  /** A pod's host name is its own name; elsewhere two processes may share a machine. */
  private static String identity() {
    String host = System.getenv("HOSTNAME");
    return (host == null || host.isEmpty() ? "agent" : host) + "_" + Ids.random().next();
  }

  @Bean
  ClustersHealthIndicator clustersHealthIndicator(SyncAgent agent) {
    return new ClustersHealthIndicator(agent);
  }

  @Bean
  CertificateWatch kcpClientCertificate(SyncAgent agent) {
    return new CertificateWatch(
        "kcp-client", () -> agent.connections().flatMap(to -> to.kcp().clientCertificate()));
  }

  @Bean
  CertificateWatch serviceClusterClientCertificate(SyncAgent agent) {
    return new CertificateWatch(
        "service-cluster-client",
        () -> agent.connections().flatMap(to -> to.service().clientCertificate()));
  }

  @Bean
  @ConditionalOnProperty(name = "mooring.sync-agent.console", matchIfMissing = true)
  AgentConsole agentConsole(SyncAgent agent) {
    return new AgentConsole(agent);
  }
}
