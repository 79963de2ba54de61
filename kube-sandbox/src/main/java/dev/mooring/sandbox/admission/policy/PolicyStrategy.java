package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.ConditionValidation;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import java.util.List;
import java.util.Map;

/** Defaults and rules of ValidatingAdmissionPolicy. */
public final class PolicyStrategy implements ResourceStrategy {
  private static final List<String> REASONS =
      List.of("Forbidden", "Invalid", "RequestEntityTooLarge");

  @Override
  public Generation generation() {
    return Generation.COUNTED;
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    if (!(object.at("spec") instanceof Map<?, ?>)) {
      return object;
    }
    KubeObject defaulted = PolicyRules.withDefault(object, "Fail", "spec", "failurePolicy");
    if (defaulted.at("status") == null) {
      defaulted = defaulted.with(Map.of(), "status");
    }
    return PolicyRules.withMatchDefaults(defaulted, "matchConstraints");
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return object.with(Map.of(), "status");
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new FieldErrors();
    PolicyRules.beginning(object, errors);
    PolicyRules.conditions(object, errors);
    PolicyVariables variables = PolicyRules.variables(object, errors);
    CelEnvironment environment = variables.extend(PolicyRules.environment(object));
    CelEnvironment forMessages = variables.extend(PolicyRules.messageEnvironment(object));
    List<Object> validations = object.list("spec", "validations");
    List<Object> annotations = object.list("spec", "auditAnnotations");
    if (validations.isEmpty() && annotations.isEmpty()) {
      String either = "validations or auditAnnotations must contain at least one item";
      errors.required("spec.validations", either);
      errors.required("spec.auditAnnotations", either);
    }
    for (int i = 0; i < validations.size(); i++) {
      validation(
          validations.get(i), environment, forMessages, "spec.validations[" + i + "]", errors);
    }
    for (int i = 0; i < annotations.size(); i++) {
      ConditionValidation.compile(
          Trees.text(annotations.get(i), "valueExpression").strip(),
          environment,
          CelExpression.Result.ANNOTATION,
          "spec.auditAnnotations[" + i + "].valueExpression",
          errors);
    }
    return errors;
  }

  private static void validation(
      Object validation,
      CelEnvironment environment,
      CelEnvironment forMessages,
      String path,
      FieldErrors errors) {
    String expression = Trees.text(validation, "expression");
    if (expression.isBlank()) {
      errors.required(path + ".expression", "expression is not specified");
    } else {
      ConditionValidation.compile(
          expression, environment, CelExpression.Result.CONDITION, path + ".expression", errors);
    }
    String messageExpression = Trees.text(validation, "messageExpression");
    if (!messageExpression.isBlank()) {
      ConditionValidation.compile(
          messageExpression,
          forMessages,
          CelExpression.Result.MESSAGE,
          path + ".messageExpression",
          errors);
    } else if (!messageExpression.isEmpty()) {
      errors.invalid(
          path + ".messageExpression", messageExpression, "must be non-empty if specified");
    }
    String message = Trees.text(validation, "message");
    if (!message.isEmpty() && message.isBlank()) {
      errors.invalid(path + ".message", message, "must be non-empty if specified");
    } else if (message.strip().matches("(?s).*[\\n\\r].*")) {
      errors.invalid(path + ".message", message, "must not contain line breaks");
    }
    if (Trees.at(validation, "reason") instanceof String reason && !REASONS.contains(reason)) {
      errors.notSupported(path + ".reason", reason, REASONS);
    }
  }
}
