package dev.mooring.runtime.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The metric of readiness. */
@AutoConfiguration(after = HealthEndpointAutoConfiguration.class)
public class HealthMetricsAutoConfiguration {
  @Bean
  @ConditionalOnBean(HealthEndpoint.class)
  MeterBinder healthMetrics(HealthEndpoint health) {
    return new HealthMetrics(health);
  }
}
