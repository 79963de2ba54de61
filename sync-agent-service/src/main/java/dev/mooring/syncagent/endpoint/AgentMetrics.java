package dev.mooring.syncagent.endpoint;

import dev.mooring.runtime.client.http.RequestCounters;
import dev.mooring.runtime.client.http.RequestCounters.Method;
import dev.mooring.runtime.client.http.RequestCounters.Outcome;
import dev.mooring.syncagent.agent.SyncAgent;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

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
    Gauge.builder("mooring.events.waiting", agent, a -> a.events().waiting())
        .description("Events that wait to be written")
        .register(registry);
    FunctionCounter.builder("mooring.events.dropped", agent, a -> a.events().dropped())
        .description("Events that nobody will see: refused, or too many at a time")
        .register(registry);
    requests(registry, "service", SyncAgent::serviceRequests);
    requests(registry, "kcp", SyncAgent::kcpRequests);
  }

  private void requests(
      MeterRegistry registry, String server, Function<SyncAgent, Optional<RequestCounters>> tally) {
    for (Method method : Method.values()) {
      for (Outcome outcome : Outcome.values()) {
        FunctionCounter.builder(
                "mooring.client.requests",
                agent,
                a -> tally.apply(a).map(requests -> requests.count(method, outcome)).orElse(0L))
            .description("Requests to a server, watches aside")
            .tags(
                "server", server,
                "method", method.name(),
                "outcome", outcome.name().toLowerCase(Locale.ROOT))
            .register(registry);
      }
    }
  }
}
