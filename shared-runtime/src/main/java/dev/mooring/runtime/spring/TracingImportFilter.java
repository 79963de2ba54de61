package dev.mooring.runtime.spring;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Leaves out what Spring Boot configures for OpenTelemetry while tracing is off, so that a service
 * starts as without it; and always what would trace every probe and scrape, and export logs.
 */
public final class TracingImportFilter implements AutoConfigurationImportFilter, EnvironmentAware {
  private static final String TRACING = "org.springframework.boot.micrometer.tracing.";
  private static final String OPENTELEMETRY = "org.springframework.boot.opentelemetry.";

  /** Observations of each HTTP request become spans by it. */
  private static final String OBSERVATIONS =
      TRACING + "autoconfigure.MicrometerTracingAutoConfiguration";

  private static final String LOGS = OPENTELEMETRY + "autoconfigure.logging.";

  private boolean on;

  @Override
  public void setEnvironment(Environment environment) {
    on = TracingSwitch.isOn(environment);
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
