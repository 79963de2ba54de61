package dev.mooring.runtime.spring;

import dev.mooring.runtime.access.RightsMonitor;
import dev.mooring.runtime.access.RightsMonitor.Findings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Ready unless rights are missing without which the service could do its work nowhere. A right that
 * is missing for some providers only does not make a replica unready, for the others need it; it is
 * a detail, and counted by a metric.
 */
public final class RightsHealth implements HealthIndicator {
  private final RightsMonitor monitor;

  /**
   * @param metric name of the gauge of places where rights are missing
   */
  public RightsHealth(RightsMonitor monitor, MeterRegistry metrics, String metric) {
    this.monitor = monitor;
    Gauge.builder(metric, monitor, rights -> rights.findings().all().size())
        .description("Places where the service's user lacks a permission")
        .register(metrics);
  }

  @Override
  public Health health() {
    Findings findings = monitor.findings();
    Health.Builder health = findings.disableAll() ? Health.outOfService() : Health.up();
    if (!findings.all().isEmpty()) {
      health.withDetail("missing", findings.all());
    }
    return health.build();
  }
}
