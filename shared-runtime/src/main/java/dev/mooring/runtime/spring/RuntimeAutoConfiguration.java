package dev.mooring.runtime.spring;

import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.trace.Tracing;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.annotation.Bean;

/** What all services have: guarded endpoints, health and its metrics, and traces. */
@AutoConfiguration(after = {EndpointAutoConfiguration.class, HealthEndpointAutoConfiguration.class})
public class RuntimeAutoConfiguration {
  private static final String READINESS = "readiness";
  private static final Object NO_COMPONENT = EndpointAnswers.notFound("there is no such component");

  /**
   * Advisors are applied in the order of their registration, and the last one is the outermost: the
   * guard comes after Spring's cache of answers, so a cached answer is guarded, too.
   */
  @Bean
  EndpointGuard endpointGuard(ObjectProvider<AccessReviewer> reviewer) {
    return new EndpointGuard(Optional.ofNullable(reviewer.getIfAvailable()));
  }

  @Bean
  Certificates certificatesHealthIndicator(ObjectProvider<CertificateWatch> watches) {
    return new Certificates(watches.orderedStream().toList(), SystemTime.clock());
  }

  /** {@code mooring.health{component}} of each component of readiness. */
  @Bean
  @ConditionalOnBean(HealthEndpoint.class)
  MeterBinder healthMetrics(HealthEndpoint health) {
    return registry -> {
      if (health.healthForPath(READINESS) instanceof CompositeHealthDescriptor readiness) {
        Map<String, HealthDescriptor> components = readiness.getComponents();
        for (String component : components == null ? Set.<String>of() : components.keySet()) {
          Gauge.builder("mooring.health", health, endpoint -> up(endpoint, component))
              .description("1 while a component of readiness is up, else 0, by component")
              .tag("component", component)
              .register(registry);
        }
      }
    };
  }

  private static int up(HealthEndpoint health, String component) {
    HealthDescriptor now = health.healthForPath(READINESS, component);
    return now != null && now.getStatus().equals(Status.UP) ? 1 : 0;
  }

  @Bean
  MeterBinder logMetrics() {
    return NonBlockingLog::bind;
  }

  /**
   * Answers 404 for a path of the health endpoint that leads below a component that does not exist.
   * Spring Boot 4.1 fails on it ({@code 'contributor' must not be null}) and logs the stack trace
   * of every such request, which needs no token.
   */
  @Bean
  OperationInvokerAdvisor healthPathCheck(
      ObjectProvider<HealthContributorRegistry> components,
      ObjectProvider<HealthEndpointGroups> groups) {
    return (endpoint, _, _, invoker) ->
        endpoint.toLowerCaseString().equals("health")
            ? context ->
                context.getArguments().get("path") instanceof Object[] path
                        && path.length > 1 // not a probe's, for which no bean is looked up
                        && !hasParents(path, components.getObject(), groups.getObject())
                    ? NO_COMPONENT
                    : invoker.invoke(context)
            : invoker;
  }

  /** True also for a path whose last segment does not exist: Spring Boot answers 404 itself. */
  private static boolean hasParents(
      Object[] path, HealthContributors root, HealthEndpointGroups groups) {
    HealthContributors parent = root;
    boolean inGroup = groups.get(String.valueOf(path[0])) != null;
    for (int i = inGroup ? 1 : 0; i < path.length - 1; i++) {
      if (!(parent.getContributor(String.valueOf(path[i])) instanceof HealthContributors child)) {
        return false;
      }
      parent = child;
    }
    return true;
  }

  /** Traces go where {@link TracingSwitch} says; nowhere without an endpoint. */
  @Bean
  Tracing tracing(ObjectProvider<Tracer> tracer, ObjectProvider<Propagator> propagator) {
    Tracer present = tracer.getIfAvailable();
    return present == null
        ? Tracing.OFF
        : new Tracing(present, propagator.getObject(), SystemTime.clock());
  }
}
