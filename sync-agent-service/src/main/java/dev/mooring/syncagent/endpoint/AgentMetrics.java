package dev.mooring.syncagent.endpoint;

import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.spring.RuntimeMetrics;
import dev.mooring.syncagent.agent.RunningAgent;
import dev.mooring.syncagent.agent.SyncAgent;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;

/** Meters of the whole agent; {@code sync_agent_published_resource} has the Go agent's name. */
public record AgentMetrics(SyncAgent agent) implements MeterBinder {
  private static final List<String> CONDITIONS =
      List.of(
          "Accepted",
          "SchemaPublished",
          "SchemaComplete",
          "PathsInSchema",
          "SchemaCompatible",
          "SchemaUpToDate",
          "Exported",
          "Syncing");

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder(
            "sync_agent_published_resource",
            agent,
            a -> a.running().map(RunningAgent::publishedResources).orElse(0))
        .description("PublishedResources that this agent handles")
        .register(registry);
    Gauge.builder("mooring.sync.agent.leader", agent, a -> a.leads() ? 1 : 0)
        .description("1 while this replica is the leader, else 0")
        .register(registry);
    Gauge.builder("mooring.sync.agent.replicas", agent, a -> a.sharing().size())
        .description("Replicas that share the work, as far as this one knows; 0 if they do not")
        .register(registry);
    for (String condition : CONDITIONS) {
      Gauge.builder(
              "mooring.sync.agent.conditions.failing",
              agent,
              a -> a.running().map(running -> running.failingCondition(condition)).orElse(0))
          .description("PublishedResources whose condition is not True, by condition")
          .tag("condition", condition)
          .register(registry);
    }
    RuntimeMetrics.events(
        registry,
        agent,
        a ->
            a.running()
                .map(running -> running.recorder().backlog())
                .orElse(new EventRecorder.Backlog(0, 0)));
    RuntimeMetrics.requests(
        registry, "service", agent, a -> a.connections().map(to -> to.service().requests()));
    RuntimeMetrics.requests(
        registry, "kcp", agent, a -> a.connections().map(to -> to.kcp().requests()));
  }
}
