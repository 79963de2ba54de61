package dev.mooring.runtime.spring;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/**
 * Tracing is on if there is an endpoint to send spans to, unless {@value #ENABLED} says otherwise.
 * While it is off, Spring Boot's auto-configurations of tracing and OpenTelemetry are left out.
 * Also while it is on, those are left out that make a span of every HTTP request, and that export
 * logs.
 */
public final class TracingSwitch
    implements EnvironmentPostProcessor, AutoConfigurationImportFilter, EnvironmentAware {
  private static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";
  private static final String ENABLED = "management.tracing.export.enabled";
  private static final String TRACING = "org.springframework.boot.micrometer.tracing.";
  private static final String OPENTELEMETRY = "org.springframework.boot.opentelemetry.";

  /** Makes a span of each HTTP request that is observed. */
  private static final String OBSERVATIONS =
      TRACING + "autoconfigure.MicrometerTracingAutoConfiguration";

  private static final String LOGS = OPENTELEMETRY + "autoconfigure.logging.";

  /** In place of Spring Boot's defaults. */
  private static final Map<String, Object> DEFAULTS =
      Map.of(
          ENABLED,
          false,
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

  private boolean on;

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    environment
        .getPropertySources()
        .addLast(
            new MapPropertySource("tracing", DEFAULTS) {
              /** Looks for the endpoint at each call: later processors may add it. */
              @Override
              public @Nullable Object getProperty(String name) {
                return name.equals(ENABLED)
                    ? (Object) !environment.getProperty(ENDPOINT, "").isBlank()
                    : super.getProperty(name);
              }
            });
  }

  @Override
  public void setEnvironment(Environment environment) {
    on = environment.getProperty(ENABLED, Boolean.class, false);
  }

  @Override
  public boolean[] match(String[] classes, AutoConfigurationMetadata metadata) {
    var included = new boolean[classes.length];
    for (int index = 0; index < classes.length; index++) {
      // Those that were left out already are null.
      included[index] = classes[index] == null || isIncluded(classes[index]);
    }
    return included;
  }

  private boolean isIncluded(String autoConfiguration) {
    boolean tracing =
        autoConfiguration.startsWith(TRACING) || autoConfiguration.startsWith(OPENTELEMETRY);
    return !tracing
        || on && !autoConfiguration.equals(OBSERVATIONS) && !autoConfiguration.startsWith(LOGS);
  }
}
