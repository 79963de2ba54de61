package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.leadership.Leadership;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether this replica knows which one is the leader. Part of readiness: without a holder of the
 * Lease no replica writes, which nothing else shows.
 */
@Component("lease")
class LeaseHealth implements HealthIndicator {
  private final Leadership leadership;

  LeaseHealth(Leadership leadership) {
    this.leadership = leadership;
  }

  @Override
  public Health health() {
    return leadership
        .problem()
        .map(problem -> Health.outOfService().withDetail("waitingFor", problem))
        .orElseGet(Health::up)
        .withDetail("leader", leadership.holds())
        .withDetail("holder", leadership.holder())
        .build();
  }
}
