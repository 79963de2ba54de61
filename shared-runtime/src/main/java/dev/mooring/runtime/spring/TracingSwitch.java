package dev.mooring.runtime.spring;

import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;

/**
 * Tracing is on if there is an endpoint to send spans to, unless the properties say otherwise. Also
 * the defaults of the other properties of tracing, where Spring Boot has none, or ones that do not
 * fit: unbounded attributes, and seconds of a stop that a collector does not answer.
 */
public final class TracingSwitch implements EnvironmentPostProcessor {
  private static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";
  private static final String ENABLED = "management.tracing.export.enabled";

  private static final Map<String, Object> DEFAULTS =
      Map.of(
          "management.opentelemetry.tracing.limits.max-attribute-value-length",
          1024,
          "management.opentelemetry.tracing.export.otlp.connect-timeout",
          "2s",
          "management.opentelemetry.tracing.export.otlp.timeout",
          "5s",
          // What a caller adds to its trace stays with the caller.
          "management.tracing.baggage.enabled",
          false,
          "management.tracing.propagation.type",
          "W3C");

  static boolean isOn(Environment environment) {
    return environment.getProperty(ENABLED, Boolean.class, false);
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    environment.getPropertySources().addLast(new Defaults(environment));
  }

  /** Asks when it is asked: other processors may add the endpoint after this one. */
  private static final class Defaults extends EnumerablePropertySource<Object> {
    private final Environment environment;

    Defaults(Environment environment) {
      // An environment as the source would be taken for more sources, this one among them.
      super("tracing", DEFAULTS);
      this.environment = environment;
    }

    @Override
    public String[] getPropertyNames() {
      return Stream.concat(Stream.of(ENABLED), DEFAULTS.keySet().stream()).toArray(String[]::new);
    }

    @Override
    public @Nullable Object getProperty(String name) {
      return name.equals(ENABLED)
          ? (Object) !environment.getProperty(ENDPOINT, "").isBlank()
          : DEFAULTS.get(name);
    }
  }
}
