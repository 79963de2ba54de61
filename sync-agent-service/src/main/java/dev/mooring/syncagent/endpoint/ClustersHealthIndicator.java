package dev.mooring.syncagent.endpoint;

import dev.mooring.syncagent.agent.SyncAgent;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Up while both clusters can be followed and the caches are filled. A PublishedResource that cannot
 * be listed is a detail, unless none can.
 */
public record ClustersHealthIndicator(SyncAgent agent) implements HealthIndicator {
  @Override
  public Health health() {
    List<String> reasons = agent.reasons();
    Health.Builder health =
        reasons.isEmpty() ? Health.up() : Health.outOfService().withDetail("reasons", reasons);
    Map<String, String> failing = agent.failingResources();
    return failing.isEmpty()
        ? health.build()
        : health.withDetail("failingResources", failing).build();
  }
}
