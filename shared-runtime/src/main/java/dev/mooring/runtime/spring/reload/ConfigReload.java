package dev.mooring.runtime.spring.reload;

import dev.mooring.runtime.spring.UnknownPropertiesCheck;
import dev.mooring.runtime.spring.UnknownPropertiesException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.context.properties.bind.validation.ValidationBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerGroup;
import org.springframework.boot.logging.LoggerGroups;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.validation.FieldError;
import org.springframework.validation.Validator;

/**
 * Reads the configuration as at start, and applies what differs and is {@link Live}, and levels of
 * loggers. A configuration with which the service would not start is refused as a whole. Names of
 * properties are logged, values never. Thread-safe.
 */
final class ConfigReload {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigReload.class);

  /** Of a log line and a health detail. */
  private static final int NAMED_MAX = 20;

  private final ConfigurableEnvironment environment;
  private final ResourceLoader resources;
  private final List<LiveProperties<?>> targets;
  private final Set<ConfigurationPropertyName> live;
  private final Set<ConfigurationPropertyName> prefixes;
  private final Validator validator;
  private final LoggingSystem logging;
  private final LoggerGroups groups;
  private ConfigValues inEffect;
  private volatile Status status = new Status(List.of(), Optional.empty());

  /**
   * @param restartRequired names of changed properties that are not in effect; at most {@value
   *     #NAMED_MAX}
   * @param problem why the configuration as it is now is refused as a whole
   */
  record Status(List<String> restartRequired, Optional<String> problem) {}

  ConfigReload(
      ConfigurableEnvironment environment,
      ResourceLoader resources,
      List<LiveProperties<?>> targets,
      Validator validator,
      LoggingSystem logging,
      LoggerGroups groups) {
    this.environment = environment;
    this.resources = resources;
    this.targets = List.copyOf(targets);
    this.live =
        targets.stream()
            .flatMap(target -> target.live().stream())
            .map(ConfigurationPropertyName::of)
            .collect(Collectors.toUnmodifiableSet());
    this.prefixes =
        targets.stream()
            .map(target -> ConfigurationPropertyName.of(target.prefix()))
            .collect(Collectors.toUnmodifiableSet());
    this.validator = validator;
    this.logging = logging;
    this.groups = groups;
    this.inEffect = ConfigValues.of(environment);
  }

  Status status() {
    return status;
  }

  /** Blocks while the configuration is read. */
  synchronized void run() {
    ConfigValues found;
    try {
      found = read();
    } catch (RuntimeException e) {
      refuse(problem(e));
      return;
    }
    ConfigChange change = ConfigChange.between(inEffect, found, live, prefixes);
    ConfigValues next = applied(change, found);
    try {
      apply(change, next);
    } catch (RuntimeException e) {
      refuse(problem(e));
      return;
    }
    inEffect = next;
    List<String> restart = change.restart().stream().limit(NAMED_MAX).toList();
    if (!change.live().isEmpty() || !change.levels().isEmpty()) {
      LOG.info("Configuration changed: {} in effect", names(change));
    }
    if (!restart.isEmpty() && !restart.equals(status.restartRequired())) {
      LOG.warn("Configuration changed: restart the service to apply {}", restart);
    }
    status = new Status(restart, Optional.empty());
  }

  private static List<String> names(ConfigChange change) {
    return java.util.stream.Stream.concat(
            change.live().stream().map(ConfigurationPropertyName::toString).sorted(),
            change.levels().stream().map(name -> "logging.level." + name))
        .limit(NAMED_MAX)
        .toList();
  }

  private void refuse(String problem) {
    if (!status.problem().equals(Optional.of(problem))) {
      LOG.warn("Configuration refused, the earlier one stays in effect: {}", problem);
    }
    status = new Status(status.restartRequired(), Optional.of(problem));
  }

  /** Everything is bound, so that what the next start would refuse is refused now. */
  private ConfigValues read() {
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
    values.levels().forEach(ConfigReload::level);
    return values;
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

  private ConfigValues applied(ConfigChange change, ConfigValues found) {
    var properties = new HashMap<>(inEffect.properties());
    for (ConfigurationPropertyName name : change.live()) {
      String value = found.properties().get(name);
      if (value == null) {
        properties.remove(name);
      } else {
        properties.put(name, value);
      }
    }
    return new ConfigValues(properties, found.levels());
  }

  private void apply(ConfigChange change, ConfigValues next) {
    ConfigurableEnvironment effective = base();
    Map<String, Object> map = new HashMap<>();
    next.properties().forEach((name, value) -> map.put(name.toString(), value));
    effective.getPropertySources().addLast(new MapPropertySource("in-effect", map));
    ConfigurationPropertySources.attach(effective);
    for (LiveProperties<?> target : targets) {
      ConfigurationPropertyName prefix = ConfigurationPropertyName.of(target.prefix());
      if (change.live().stream().anyMatch(prefix::isAncestorOf)) {
        applyTo(target, effective);
      }
    }
    for (String name : change.levels()) {
      String text = next.levels().get(name);
      set(name, text == null ? null : level(name, text));
    }
  }

  private <P extends Record> void applyTo(LiveProperties<P> target, ConfigurableEnvironment from) {
    target.apply().accept(bind(target, from));
  }

  private <P extends Record> P bind(LiveProperties<P> target, ConfigurableEnvironment from) {
    return Binder.get(from)
        .bindOrCreate(
            target.prefix(), Bindable.of(target.type()), new ValidationBindHandler(validator));
  }

  private void set(String name, @Nullable LogLevel level) {
    LoggerGroup group = groups.get(name);
    if (group != null && group.hasMembers()) {
      group.configureLogLevel(level, logging::setLogLevel);
    } else {
      logging.setLogLevel(
          name.equalsIgnoreCase(LoggingSystem.ROOT_LOGGER_NAME)
              ? LoggingSystem.ROOT_LOGGER_NAME
              : name,
          level);
    }
  }

  private static LogLevel level(String name, String text) {
    try {
      // YAML reads OFF as false.
      return text.equalsIgnoreCase("false")
          ? LogLevel.OFF
          : LogLevel.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new InvalidLevel("logging.level." + name + " is no level of a logger");
    }
  }

  /** Without values, which messages of Spring's and of parsers may quote. */
  private static String problem(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case BindValidationException invalid -> {
          return invalid.getValidationErrors().getAllErrors().stream()
              .map(error ->
                  invalid.getValidationErrors().getName()
                      + (error instanceof FieldError field ? "." + field.getField() : "")
                      + ": "
                      + error.getDefaultMessage())
              .sorted()
              .limit(NAMED_MAX)
              .collect(Collectors.joining("; "));
        }
        case UnknownPropertiesException unknown -> {
          return String.valueOf(unknown.getMessage()).replace("\n", "; ");
        }
        case InvalidLevel invalid -> {
          return String.valueOf(invalid.getMessage());
        }
        case KubernetesClientException unread -> {
          return String.valueOf(unread.getMessage());
        }
        default -> {}
      }
    }
    return failure instanceof BindException unbound
        ? unbound.getName() + " has a value of another type"
        : "it cannot be read: " + root(failure).getClass().getSimpleName();
  }

  private static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static final class InvalidLevel extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidLevel(String message) {
      super(message);
    }
  }
}
