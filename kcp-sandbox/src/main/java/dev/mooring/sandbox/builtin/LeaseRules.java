package dev.mooring.sandbox.builtin;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.FieldError;
import dev.mooring.sandbox.api.ResourceStrategy;
import dev.mooring.sandbox.api.WriteContext;
import java.util.ArrayList;
import java.util.List;

/** Leases: numbers that make sense; a PUT makes one. */
final class LeaseRules implements ResourceStrategy {
  @Override
  public PutRules putRules() {
    return new PutRules(true, false);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new ArrayList<FieldError>();
    if (object.at("spec", "leaseDurationSeconds") instanceof Long seconds && seconds <= 0) {
      errors.add(
          FieldError.invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
    }
    if (object.at("spec", "leaseTransitions") instanceof Long count && count < 0) {
      errors.add(
          FieldError.invalid("spec.leaseTransitions", count, "must be greater than or equal to 0"));
    }
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return validateCreate(updated, context);
  }
}
