package dev.mooring.syncagent.endpoint;

import dev.mooring.syncagent.agent.SyncAgent;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Up while both clusters can be followed and all caches are filled. */
public final class ClustersHealthIndicator implements HealthIndicator {
  private final SyncAgent agent;

  public ClustersHealthIndicator(SyncAgent agent) {
    this.agent = agent;
  }

  @Override
  public Health health() {
    List<String> hindrances = agent.hindrances();
    return hindrances.isEmpty()
        ? Health.up().build()
        : Health.outOfService().withDetail("hindrances", hindrances).build();
  }
}
