package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;

/** Leases: numbers that make sense; a PUT makes one. */
public final class LeaseStrategy implements ResourceStrategy {
  @Override
  public PutRules putRules() {
    return new PutRules(true, false);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new FieldErrors();
    if (object.at("spec", "leaseDurationSeconds") instanceof Long seconds && seconds <= 0) {
      errors.invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0");
    }
    if (object.at("spec", "leaseTransitions") instanceof Long count && count < 0) {
      errors.invalid("spec.leaseTransitions", count, "must be greater than or equal to 0");
    }
    return errors;
  }
}
