package dev.mooring.runtime.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.annotation.Bean;

/** The metrics of readiness and of the log, and the check of paths. */
@AutoConfiguration(after = HealthEndpointAutoConfiguration.class)
public class HealthAutoConfiguration {
  @Bean
  @ConditionalOnBean(HealthEndpoint.class)
  MeterBinder healthMetrics(HealthEndpoint health) {
    return new HealthMetrics(health);
  }

  @Bean
  MeterBinder logMetrics() {
    return NonBlockingLog::bind;
  }

  @Bean
  OperationInvokerAdvisor healthPathCheck(
      ObjectProvider<HealthContributorRegistry> components,
      ObjectProvider<HealthEndpointGroups> groups) {
    return new HealthPathCheck(components, groups);
  }
}
