package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.runtime.export.ExportState;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Whether the rules of every shard are known. */
@Component("rules")
class RulesHealth implements HealthIndicator {
  private final DependencyController controller;

  RulesHealth(DependencyController controller) {
    this.controller = controller;
  }

  @Override
  public Health health() {
    var overview = controller.overview();
    return switch (overview.state()) {
      case ExportState.Ready() ->
          Health.up()
              .withDetail("rules", overview.rules().size())
              .withDetail("providers", overview.installations().size())
              .build();
      case ExportState.Waiting(var reason) ->
          Health.outOfService().withDetail("waitingFor", reason).build();
    };
  }
}
