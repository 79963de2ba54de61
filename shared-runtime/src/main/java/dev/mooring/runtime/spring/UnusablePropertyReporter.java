package dev.mooring.runtime.spring;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;

/**
 * Logs, of a start that failed by a property, one line for each property, by its documented name.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnusablePropertyReporter implements SpringBootExceptionReporter {
  private static final Logger LOG = LoggerFactory.getLogger(UnusablePropertyReporter.class);

  private final @Nullable ConfigurableApplicationContext context;

  UnusablePropertyReporter(@Nullable ConfigurableApplicationContext context) {
    this.context = context;
  }

  @Override
  public boolean reportException(Throwable failure) {
    List<String> problems =
        Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
            .map(this::problems)
            .filter(found -> !found.isEmpty())
            .reduce(List.of(), (_, deepest) -> deepest);
    problems.forEach(LOG::error);
    return !problems.isEmpty();
  }

  private List<String> problems(Throwable cause) {
    return switch (cause) {
      case BindValidationException invalid ->
          invalid.getValidationErrors().getAllErrors().stream()
              .map(error -> invalid.getValidationErrors().getName() + problem(error))
              .toList();
      case BindException unreadable ->
          List.of(unreadable.getName() + ": " + rootOf(unreadable).getMessage());
      case IOException unread -> problemsOf(String.valueOf(unread.getMessage()));
      default -> List.of();
    };
  }

  private static String problem(ObjectError error) {
    String field =
        error instanceof FieldError of
            ? "." + DataObjectPropertyName.toDashedForm(of.getField())
            : "";
    return field + ": " + error.getDefaultMessage();
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause == null ? failure : rootOf(cause);
  }

  /** Empty if the message is about no file or directory that a property names. */
  private List<String> problemsOf(String message) {
    if (context == null) {
      return List.of();
    }
    var environment = context.getEnvironment();
    return DocumentedProperties.of(UnusablePropertyReporter.class.getClassLoader())
        .keySet()
        .stream()
        .filter(name -> {
          String value = environment.getProperty(name, "");
          return value.startsWith("/") && message.contains(value);
        })
        .map(name -> name + ": " + message)
        .toList();
  }
}
