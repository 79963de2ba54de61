package dev.mooring.runtime.spring.reload;

import dev.mooring.runtime.spring.UnknownPropertiesCheck;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.validation.Validator;

/**
 * Reads files, ConfigMaps and Secrets as at start, and binds properties as at start. Thread-safe.
 *
 * @param environment of the service, as it was at start
 * @param targets what has to be bound by a configuration that is accepted
 */
record ConfigReader(
    ConfigurableEnvironment environment,
    ResourceLoader resources,
    List<LiveProperties<?>> targets,
    Validator validator) {
  ConfigReader {
    targets = List.copyOf(targets);
  }

  ConfigValues atStart() {
    return ConfigValues.of(environment);
  }

  /**
   * Everything is bound, so that what the next start would refuse is refused now. Blocks.
   *
   * @throws RuntimeException see {@link ConfigProblem}
   */
  ConfigValues read() {
    ConfigurableEnvironment now = base();
    var bootstrap = new DefaultBootstrapContext();
    try {
      ConfigDataEnvironmentPostProcessor.applyTo(
          now, resources, bootstrap, environment.getActiveProfiles());
    } finally {
      KubernetesClient client = bootstrap.getOrElse(KubernetesClient.class, null);
      if (client != null) {
        client.close();
      }
    }
    ConfigurationPropertySources.attach(now);
    UnknownPropertiesCheck.check(now, getClass().getClassLoader());
    targets.forEach(target -> bind(target, now));
    ConfigValues values = ConfigValues.of(now);
    values.levels().forEach(LogLevels::parse);
    return values;
  }

  /** The service's environment with these values in place of what it has read at start. */
  ConfigurableEnvironment with(ConfigValues values) {
    ConfigurableEnvironment effective = base();
    Map<String, Object> map = new HashMap<>();
    values.properties().forEach((name, value) -> map.put(name.toString(), value));
    effective.getPropertySources().addLast(new MapPropertySource("in-effect", map));
    ConfigurationPropertySources.attach(effective);
    return effective;
  }

  <P extends Record> P bind(LiveProperties<P> target, ConfigurableEnvironment from) {
    return Binder.get(from)
        .bindOrCreate(
            target.prefix(), Bindable.of(target.type()), new ValidationBindHandler(validator));
  }

  /** Arguments, variables and all else that is not read again. */
  private ConfigurableEnvironment base() {
    var base = new StandardEnvironment();
    base.getPropertySources().stream()
        .map(source -> source.getName())
        .toList()
        .forEach(base.getPropertySources()::remove);
    environment.getPropertySources().stream()
        .filter(source -> !ConfigValues.isConfigData(source))
        .filter(
            source -> !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
        .forEach(base.getPropertySources()::addLast);
    return base;
  }
}
