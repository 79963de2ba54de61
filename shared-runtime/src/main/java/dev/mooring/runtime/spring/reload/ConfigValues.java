package dev.mooring.runtime.spring.reload;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.env.ConfigTreePropertySource;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Values of the properties that files, ConfigMaps and Secrets set, resolved. Never printed: some
 * are secret.
 *
 * @param properties all but levels of loggers
 * @param levels by the name of the logger or group
 */
record ConfigValues(Map<ConfigurationPropertyName, String> properties, Map<String, String> levels) {
  private static final ConfigurationPropertyName LEVELS =
      ConfigurationPropertyName.of("logging.level");

  ConfigValues {
    properties = Map.copyOf(properties);
    levels = Map.copyOf(levels);
  }

  /**
   * @param environment to which configuration property sources are attached
   */
  static ConfigValues of(ConfigurableEnvironment environment) {
    var properties = new LinkedHashMap<ConfigurationPropertyName, String>();
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      if (isConfigData(source.getUnderlyingSource())
          && source instanceof IterableConfigurationPropertySource iterable) {
        for (ConfigurationPropertyName name : iterable) {
          String value = environment.getProperty(name.toString());
          if (value != null && !LEVELS.isAncestorOf(name)) {
            properties.putIfAbsent(name, value);
          }
        }
      }
    }
    return new ConfigValues(
        properties,
        Binder.get(environment)
            .bind(LEVELS, Bindable.mapOf(String.class, String.class))
            .orElseGet(Map::of));
  }

  /** Whether a property source was read from a file, a ConfigMap or a Secret. */
  static boolean isConfigData(@Nullable Object source) {
    return source instanceof OriginTrackedMapPropertySource
        || source instanceof ConfigTreePropertySource
        || source instanceof CompositePropertySource;
  }

  @Override
  public String toString() {
    return "ConfigValues[" + properties.size() + " properties, " + levels.size() + " levels]";
  }
}
