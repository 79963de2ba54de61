package dev.mooring.runtime.spring.reload;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether the configuration in effect is the one that files, ConfigMaps and Secrets have now.
 * Always up: the service works by the one in effect.
 */
record ConfigReloadHealth(ConfigReload reload) implements HealthIndicator {
  @Override
  public Health health() {
    ConfigReload.Status status = reload.status();
    var health = Health.up();
    if (!status.restartRequired().isEmpty()) {
      health.withDetail("restartRequired", status.restartRequired());
    }
    status.problem().ifPresent(problem -> health.withDetail("problem", problem));
    return health.build();
  }
}
