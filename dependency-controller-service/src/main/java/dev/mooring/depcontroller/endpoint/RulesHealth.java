package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether the rules of every shard are listed, and events of them arrive. Part of readiness only: a
 * restart does not reconnect a shard.
 */
@Component("rules")
class RulesHealth implements HealthIndicator {
  private final DependencyController controller;

  RulesHealth(DependencyController controller) {
    this.controller = controller;
  }

  @Override
  public Health health() {
    var overview = controller.overview();
    return overview
        .waitingFor()
        .map(reason -> Health.outOfService().withDetail("waitingFor", reason))
        .orElseGet(Health::up)
        .withDetail("rules", overview.rules().size())
        .withDetail("providers", overview.installations().size())
        .withDetail("lastEventAgeSeconds", overview.staleness().lasted().toSeconds())
        .build();
  }
}
