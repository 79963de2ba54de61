package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.leadership.Leadership;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What makes a replica ready, in addition to its rights. */
@Configuration(proxyBeanMethods = false)
class Readiness {
  /**
   * Whether this replica knows which one is the leader: without a holder of the Lease no replica
   * writes, which nothing else shows.
   */
  @Bean("lease")
  HealthIndicator lease(Leadership leadership) {
    return () ->
        leadership
            .problem()
            .map(problem -> Health.outOfService().withDetail("waitingFor", problem))
            .orElseGet(Health::up)
            .withDetail("leader", leadership.holds())
            .withDetail("holder", leadership.holder())
            .build();
  }

  /**
   * Whether the rules of every shard are listed, and events of them arrive. No part of liveness: a
   * restart does not reconnect a shard.
   */
  @Bean("rules")
  HealthIndicator rules(DependencyController controller) {
    return () -> {
      var overview = controller.overview();
      return overview
          .waitingFor()
          .map(reason -> Health.outOfService().withDetail("waitingFor", reason))
          .orElseGet(Health::up)
          .withDetail("rules", overview.rules().size())
          .withDetail("providers", overview.installations().size())
          .withDetail("lastEventAgeSeconds", overview.staleness().lasted().toSeconds())
          .build();
    };
  }
}
