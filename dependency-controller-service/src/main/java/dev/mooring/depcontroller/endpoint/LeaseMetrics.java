package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.leadership.Leadership;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.stereotype.Component;

/** Whether this replica is the leader. */
@Component
class LeaseMetrics implements MeterBinder {
  private final Leadership leadership;

  LeaseMetrics(Leadership leadership) {
    this.leadership = leadership;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder("mooring.dependency.controller.leader", leadership, l -> l.holds() ? 1 : 0)
        .description("1 while this replica is the leader, else 0")
        .register(registry);
  }
}
