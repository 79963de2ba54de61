package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.ConditionValidation;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Defaults and rules of ValidatingAdmissionPolicy. */
public final class PolicyStrategy implements ResourceStrategy {
  private static final List<String> REASONS =
      List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
  private static final int ANNOTATIONS_MAX = 20;
  private static final int ANNOTATION_MAX = 5 * 1024;

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
    if (annotations.size() > ANNOTATIONS_MAX) {
      errors.add(
          FieldError.invalidOmitted(
              "spec.auditAnnotations",
              "must not have more than " + ANNOTATIONS_MAX + " auditAnnotations"));
    }
    var keys = new HashSet<String>();
    for (int i = 0; i < annotations.size(); i++) {
      String path = "spec.auditAnnotations[" + i + "]";
      annotation(annotations.get(i), object.name(), environment, path, errors);
      String key = Trees.text(annotations.get(i), "key");
      if (!keys.add(key)) {
        errors.duplicate(path + ".key", key);
      }
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

  private static void annotation(
      Object annotation,
      String policy,
      CelEnvironment environment,
      String path,
      FieldErrors errors) {
    String key = policy + "/" + Trees.text(annotation, "key");
    NameRules.qualifiedName(key)
        .forEach(complaint -> errors.invalid(path + ".key", key, complaint));
    String expression = Trees.text(annotation, "valueExpression").strip();
    if (expression.isEmpty()) {
      errors.required(path + ".valueExpression", "valueExpression is not specified");
    } else if (expression.length() > ANNOTATION_MAX) {
      errors.required(
          path + ".valueExpression", "must not exceed " + ANNOTATION_MAX + " bytes in length");
    } else {
      ConditionValidation.compile(
          expression,
          environment,
          CelExpression.Result.ANNOTATION,
          path + ".valueExpression",
          errors);
    }
  }
}
