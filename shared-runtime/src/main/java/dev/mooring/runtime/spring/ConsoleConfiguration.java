package dev.mooring.runtime.spring;

import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.console.Console;
import dev.mooring.runtime.time.SystemTime;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

/** Serves {@code /console} at the management port of an application that has a {@link Console}. */
@ManagementContextConfiguration(value = ManagementContextType.ANY, proxyBeanMethods = false)
@ConditionalOnBean(Console.class)
class ConsoleConfiguration {
  @Bean
  ServletRegistrationBean<ConsoleServlet> consoleServlet(
      Console console, HealthEndpoint health, ObjectProvider<AccessReviewer> reviewer) {
    var servlet =
        new ConsoleServlet(
            console,
            Optional.ofNullable(reviewer.getIfAvailable()).map(EndpointGuard::new),
            health,
            SystemTime.clock(),
            Optional.ofNullable(System.getenv("HOSTNAME")).orElse(""));
    var registration = new ServletRegistrationBean<>(servlet, "/console/*");
    registration.setName("console");
    return registration;
  }
}
