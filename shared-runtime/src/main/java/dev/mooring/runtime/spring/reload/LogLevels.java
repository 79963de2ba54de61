package dev.mooring.runtime.spring.reload;

import java.util.Locale;
import java.util.Optional;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerGroup;
import org.springframework.boot.logging.LoggerGroups;
import org.springframework.boot.logging.LoggingSystem;

/** Sets levels of loggers and of groups, as at start. */
record LogLevels(LoggingSystem logging, LoggerGroups groups) {
  /**
   * @param name of a logger or a group
   * @param text empty for the level of the logger's parent
   */
  void set(String name, Optional<String> text) {
    LogLevel level = text.map(given -> parse(name, given)).orElse(null);
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

  /**
   * @throws Invalid if it is no level
   */
  static LogLevel parse(String name, String text) {
    try {
      // YAML reads OFF as false.
      return text.equalsIgnoreCase("false")
          ? LogLevel.OFF
          : LogLevel.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new Invalid("logging.level." + name + " is no level of a logger");
    }
  }

  static final class Invalid extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Invalid(String message) {
      super(message);
    }
  }
}
