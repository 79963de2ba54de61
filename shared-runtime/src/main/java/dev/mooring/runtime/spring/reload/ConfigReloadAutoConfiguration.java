package dev.mooring.runtime.spring.reload;

import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.time.SystemTime;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.logging.LoggerGroups;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.validation.Validator;

/** Follows the configuration of an application that has {@link LiveProperties}. */
@AutoConfiguration(
    afterName = "org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration")
@ConditionalOnBean(LiveProperties.class)
public class ConfigReloadAutoConfiguration {
  /** Two objects, or two files, that are changed together are read together. */
  private static final Duration QUIET = Duration.ofSeconds(1);

  @Bean
  ConfigReload configReload(
      ConfigurableEnvironment environment,
      ResourceLoader resources,
      ObjectProvider<LiveProperties<?>> targets,
      ObjectProvider<Validator> validator,
      LoggingSystem logging,
      LoggerGroups groups) {
    return new ConfigReload(
        new ConfigReader(
            environment,
            resources,
            targets.orderedStream().toList(),
            validator.stream().findFirst().orElseThrow()),
        new LogLevels(logging, groups));
  }

  @Bean
  HealthIndicator configurationHealthIndicator(ConfigReload reload) {
    return new ConfigReloadHealth(reload);
  }

  @Bean(destroyMethod = "close")
  @Lazy(false)
  ConfigFileWatch configFileWatch(ConfigReload reload, Environment environment) {
    return new ConfigFileWatch(directories(environment), SystemTime.scheduler(), debounced(reload));
  }

  @Bean(destroyMethod = "close")
  @Lazy(false)
  AutoCloseable configObjectWatch(
      ConfigReload reload,
      ConfigurableEnvironment environment,
      ObjectProvider<KubernetesClient> client) {
    boolean imported =
        environment.getPropertySources().stream()
            .anyMatch(source -> source instanceof CompositePropertySource);
    if (!imported) {
      return () -> {};
    }
    KubernetesClient api = client.getObject();
    return new ConfigObjectWatch(
        api,
        environment.getProperty("spring.cloud.kubernetes.client.namespace", api.getNamespace()),
        ConfigObjects.of(environment),
        debounced(reload));
  }

  /** Directories of files that are read at start, as far as they exist. */
  private static List<Path> directories(Environment environment) {
    var locations = new ArrayList<String>();
    locations.add("file:" + environment.getProperty("MOORING_CONFIG_DIR", "/etc/mooring"));
    Binder.get(environment)
        .bind("spring.config.additional-location", Bindable.listOf(String.class))
        .ifBound(locations::addAll);
    return locations.stream()
        .flatMap(location -> Stream.of(location.split(";")))
        .map(location -> location.replaceFirst("^optional:", ""))
        .filter(location -> location.startsWith("file:"))
        .map(location -> Path.of(location.replaceFirst("^file:(//)?", "")))
        .filter(Files::isDirectory)
        .map(directory -> directory.toAbsolutePath().normalize())
        .distinct()
        .toList();
  }

  private static Runnable debounced(ConfigReload reload) {
    Scheduler scheduler = SystemTime.scheduler();
    var pending = new AtomicBoolean();
    Runnable run =
        () -> {
          pending.set(false);
          reload.run();
        };
    return () -> {
      if (pending.compareAndSet(false, true)) {
        scheduler.after(QUIET, () -> Thread.ofVirtual().name("config-reload").start(run));
      }
    };
  }
}
