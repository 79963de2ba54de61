package dev.mooring.syncagent.config;

import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.endpoint.AgentMetrics;
import dev.mooring.syncagent.endpoint.ClustersHealthIndicator;
import dev.mooring.syncagent.endpoint.ResyncEndpoint;
import dev.mooring.syncagent.endpoint.StatusEndpoint;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Starts the agent with the application and stops it with it. */
@Configuration(proxyBeanMethods = false)
class SyncAgentConfiguration {
  @Bean(destroyMethod = "close")
  SyncAgent syncAgent(SyncAgentProperties properties) {
    return SyncAgent.start(properties.settings());
  }

  @Bean
  ClustersHealthIndicator clustersHealthIndicator(SyncAgent agent) {
    return new ClustersHealthIndicator(agent);
  }

  @Bean
  StatusEndpoint statusEndpoint(SyncAgent agent) {
    return new StatusEndpoint(agent);
  }

  @Bean
  ResyncEndpoint resyncEndpoint(SyncAgent agent) {
    return new ResyncEndpoint(agent);
  }

  @Bean
  AgentMetrics agentMetrics(SyncAgent agent) {
    return new AgentMetrics(agent);
  }
}
