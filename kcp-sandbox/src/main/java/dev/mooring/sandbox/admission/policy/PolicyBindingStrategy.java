package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Defaults and rules of ValidatingAdmissionPolicyBinding. */
public final class PolicyBindingStrategy implements ResourceStrategy {
  private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");

  @Override
  public Generation generation() {
    return Generation.COUNTED;
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return object.at("spec", "matchResources") instanceof Map<?, ?> resources
        ? object.with(
            PolicyStrategy.defaultedMatch(Trees.mapOrEmpty(resources)), "spec", "matchResources")
        : object;
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new ArrayList<FieldError>();
    if (object.text("spec", "policyName").isEmpty()) {
      errors.add(FieldError.required("spec.policyName", ""));
    }
    List<String> actions = Trees.texts(object.at("spec", "validationActions"));
    if (actions.isEmpty()) {
      errors.add(
          FieldError.required(
              "spec.validationActions", "at least one validation action is required"));
    }
    for (int i = 0; i < actions.size(); i++) {
      if (!ACTIONS.contains(actions.get(i))) {
        errors.add(
            FieldError.notSupported("spec.validationActions[" + i + "]", actions.get(i), ACTIONS));
      }
    }
    if (actions.contains("Deny") && actions.contains("Warn")) {
      errors.add(
          FieldError.invalid(
              "spec.validationActions",
              actions,
              "must not contain both Deny and Warn (repeating the same validation failure"
                  + " information in the API response and headers serves no purpose)"));
    }
    return errors;
  }
}
