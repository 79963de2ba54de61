package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Defaults and rules of ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding.
 *
 * @param own rules that the other kind does not have
 */
public record PolicyBindingStrategy(BiConsumer<KubeObject, FieldErrors> own)
    implements ResourceStrategy {
  private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");

  public static PolicyBindingStrategy validating() {
    return new PolicyBindingStrategy(PolicyBindingStrategy::actions);
  }

  public static PolicyBindingStrategy mutating() {
    return new PolicyBindingStrategy((object, errors) -> {});
  }

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
    own.accept(object, errors);
    return errors;
  }

  private static void actions(KubeObject object, FieldErrors errors) {
    List<String> actions = Trees.texts(object.at("spec", "validationActions"));
    for (int i = 0; i < actions.size(); i++) {
      if (!ACTIONS.contains(actions.get(i))) {
        errors.notSupported("spec.validationActions[" + i + "]", actions.get(i), ACTIONS);
      }
    }
    if (actions.isEmpty()) {
      errors.required("spec.validationActions", "at least one validation action is required");
    }
  }
}
