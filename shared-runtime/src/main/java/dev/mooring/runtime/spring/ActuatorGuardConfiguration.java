package dev.mooring.runtime.spring;

import jakarta.servlet.Filter;
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
  /** A registration needs a filter even where none is wanted, so then it lets everything pass. */
  @Bean
  FilterRegistrationBean<Filter> actuatorGuardRegistration(ObjectProvider<ActuatorGuard> guard) {
    ActuatorGuard present = guard.getIfAvailable();
    var registration = new FilterRegistrationBean<Filter>();
    registration.setFilter(
        present == null ? (request, answer, chain) -> chain.doFilter(request, answer) : present);
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 100);
    return registration;
  }
}
