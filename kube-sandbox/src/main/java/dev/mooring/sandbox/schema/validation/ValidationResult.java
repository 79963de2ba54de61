package dev.mooring.sandbox.schema.validation;

import dev.mooring.sandbox.api.validation.FieldError;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What one validation found. The number of checks that ran is kept because Kubernetes explains a
 * failed {@code anyOf} or {@code oneOf} by the alternative with the most of them.
 */
public final class ValidationResult {
  /** Upper bound of the errors of one object: a list of thousands helps no reader. */
  private static final int ERRORS_MAX = 1000;

  private final Set<FieldError> errors = new LinkedHashSet<>();
  private int checks;

  void add(FieldError error) {
    if (errors.size() < ERRORS_MAX) {
      errors.add(error);
    }
  }

  void checked() {
    checks++;
  }

  void merge(ValidationResult other) {
    other.errors.forEach(this::add);
    checks += other.checks;
  }

  boolean valid() {
    return errors.isEmpty();
  }

  int checks() {
    return checks;
  }

  public Set<FieldError> errors() {
    return errors;
  }
}
