package dev.mooring.runtime.spring.reload;

import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Applies what differs in the configuration and is {@link Live}, and levels of loggers. A
 * configuration with which the service would not start is refused as a whole. Names of properties
 * are logged, values never. Thread-safe.
 */
final class ConfigReload {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigReload.class);

  /** Of a log line and a health detail. */
  static final int NAMED_MAX = 20;

  private final ConfigReader reader;
  private final LogLevels levels;
  private final Set<ConfigurationPropertyName> live;
  private final Set<ConfigurationPropertyName> prefixes;
  private ConfigValues inEffect;
  private volatile Status status = new Status(List.of(), Optional.empty());

  /**
   * @param restartRequired names of changed properties that are not in effect; at most {@value
   *     #NAMED_MAX}
   * @param problem why the configuration as it is now is refused as a whole
   */
  record Status(List<String> restartRequired, Optional<String> problem) {}

  ConfigReload(ConfigReader reader, LogLevels levels) {
    this.reader = reader;
    this.levels = levels;
    this.live =
        reader.targets().stream()
            .flatMap(target -> target.live().stream())
            .map(ConfigurationPropertyName::of)
            .collect(Collectors.toUnmodifiableSet());
    this.prefixes =
        reader.targets().stream()
            .map(target -> ConfigurationPropertyName.of(target.prefix()))
            .collect(Collectors.toUnmodifiableSet());
    this.inEffect = reader.atStart();
  }

  Status status() {
    return status;
  }

  /** Blocks while the configuration is read. */
  synchronized void run() {
    ConfigChange change;
    try {
      ConfigValues found = reader.read();
      change = ConfigChange.between(inEffect, found, live, prefixes);
      ConfigValues next = applied(change, found);
      apply(change, next);
      inEffect = next;
    } catch (RuntimeException e) {
      refuse(ConfigProblem.of(e));
      return;
    }
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
    return Stream.concat(
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
    ConfigurableEnvironment effective = reader.with(next);
    for (LiveProperties<?> target : reader.targets()) {
      ConfigurationPropertyName prefix = ConfigurationPropertyName.of(target.prefix());
      if (change.live().stream().anyMatch(prefix::isAncestorOf)) {
        applyTo(target, effective);
      }
    }
    for (String name : change.levels()) {
      levels.set(name, Optional.ofNullable(next.levels().get(name)));
    }
  }

  private <P extends Record> void applyTo(LiveProperties<P> target, ConfigurableEnvironment from) {
    target.apply().accept(reader.bind(target, from));
  }
}
