package dev.mooring.runtime.spring.reload;

import dev.mooring.runtime.spring.UnknownPropertiesException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.validation.FieldError;

/**
 * Why a configuration is refused, in one line. Without values, which messages of Spring's and of
 * parsers may quote.
 */
final class ConfigProblem {
  private ConfigProblem() {}

  static String of(RuntimeException failure) {
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
              .limit(ConfigReload.NAMED_MAX)
              .collect(Collectors.joining("; "));
        }
        case UnknownPropertiesException unknown -> {
          return String.valueOf(unknown.getMessage()).replace("\n", "; ");
        }
        case LogLevels.Invalid invalid -> {
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
}
