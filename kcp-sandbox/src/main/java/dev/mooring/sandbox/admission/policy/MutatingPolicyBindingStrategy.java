package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;

/** Defaults and rules of MutatingAdmissionPolicyBinding. */
public final class MutatingPolicyBindingStrategy implements ResourceStrategy {
  @Override
  public Generation generation() {
    return Generation.COUNTED;
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return PolicyRules.withMatchDefaults(object, "matchResources");
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new FieldErrors();
    PolicyRules.binding(object, errors);
    MutatingPolicyStrategy.operations(object, "matchResources", errors);
    return errors;
  }
}
