package dev.mooring.runtime.spring;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;

/** {@code mooring.health{component}} of each component of readiness. */
record HealthMetrics(HealthEndpoint health) implements MeterBinder {
  private static final String GROUP = "readiness";

  @Override
  public void bindTo(MeterRegistry registry) {
    if (health.healthForPath(GROUP) instanceof CompositeHealthDescriptor readiness) {
      Map<String, HealthDescriptor> components = readiness.getComponents();
      for (String component : components == null ? Set.<String>of() : components.keySet()) {
        Gauge.builder("mooring.health", health, endpoint -> up(endpoint, component))
            .description("1 while a component of readiness is up, else 0, by component")
            .tag("component", component)
            .register(registry);
      }
    }
  }

  private static int up(HealthEndpoint health, String component) {
    HealthDescriptor now = health.healthForPath(GROUP, component);
    return now != null && now.getStatus().equals(Status.UP) ? 1 : 0;
  }
}
