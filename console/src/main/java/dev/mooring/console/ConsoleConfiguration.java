package dev.mooring.console;

import dev.mooring.runtime.spring.EndpointGuard;
import dev.mooring.runtime.time.SystemTime;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
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
      Console console, EndpointGuard guard, HealthEndpoint health) {
    var servlet =
        new ConsoleServlet(
            console,
            guard,
            health,
            SystemTime.clock(),
            Optional.ofNullable(System.getenv("HOSTNAME")).orElse(""));
    var registration = new ServletRegistrationBean<>(servlet, "/console/*");
    registration.setName("console");
    return registration;
  }

  /** The port's root, where a browser begins. */
  @Bean
  ServletRegistrationBean<HttpServlet> consoleRoot() {
    var registration =
        new ServletRegistrationBean<HttpServlet>(
            new HttpServlet() {
              private static final long serialVersionUID = 1L;

              @Override
              protected void doGet(HttpServletRequest request, HttpServletResponse response)
                  throws IOException {
                ConsoleServlet.redirect(response, "console/");
              }
            },
            "");
    registration.setName("console-root");
    return registration;
  }
}
