package dev.mooring.syncagent.endpoint;

import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.sync.ObjectSync;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** What the agent counts; {@code sync_agent_published_resource} is the Go agent's. */
public final class AgentMetrics implements MeterBinder {
  private final SyncAgent agent;

  public AgentMetrics(SyncAgent agent) {
    this.agent = agent;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("sync_agent_published_resource", agent, SyncAgent::publishedResources)
        .description("PublishedResources that this agent handles")
        .register(registry);
    Gauge.builder(
            "mooring.sync.objects",
            agent,
            a -> a.syncs().stream().mapToInt(ObjectSync::objects).sum())
        .description("Objects of consumers that are kept in step")
        .register(registry);
    Gauge.builder(
            "mooring.sync.objects.failed",
            agent,
            a -> a.syncs().stream().mapToInt(ObjectSync::failed).sum())
        .description("Objects of consumers that cannot be kept in step at the moment")
        .register(registry);
  }
}
