package dev.mooring.runtime.spring;

import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.trace.Tracing;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Traces go where {@link TracingSwitch} says; nowhere without an endpoint. */
@AutoConfiguration
public class TracingAutoConfiguration {
  @Bean
  Tracing tracing(ObjectProvider<Tracer> tracer, ObjectProvider<Propagator> propagator) {
    Tracer present = tracer.getIfAvailable();
    return present == null
        ? Tracing.OFF
        : new Tracing(present, propagator.getObject(), SystemTime.clock());
  }
}
