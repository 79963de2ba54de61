package dev.mooring.runtime.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * Puts the application's {@link ActuatorGuard}, if it has one, before the management endpoints.
 * They may be served by a context and a port of their own, which filters of the application do not
 * reach.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
public class ActuatorGuardConfiguration {
  @Bean
  FilterRegistrationBean<ActuatorGuard> actuatorGuardRegistration(
      ObjectProvider<ActuatorGuard> guard) {
    var registration = new FilterRegistrationBean<ActuatorGuard>();
    ActuatorGuard present = guard.getIfAvailable();
    if (present == null) {
      registration.setEnabled(false);
    } else {
      registration.setFilter(present);
    }
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 100);
    return registration;
  }
}
