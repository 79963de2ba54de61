package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.RuleValidation;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Defaults and rules of ValidatingAdmissionPolicy. */
public final class PolicyStrategy implements ResourceStrategy {
  private static final List<String> REASONS =
      List.of("Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized");

  @Override
  public Generation generation() {
    return Generation.COUNTED;
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    if (!(object.at("spec") instanceof Map<?, ?>)) {
      return object;
    }
    KubeObject defaulted = withDefault(object, "Fail", "spec", "failurePolicy");
    if (defaulted.at("status") == null) {
      defaulted = defaulted.with(Map.of(), "status");
    }
    return object.at("spec", "matchConstraints") instanceof Map<?, ?> constraints
        ? defaulted.with(defaultedMatch(Trees.mapOrEmpty(constraints)), "spec", "matchConstraints")
        : defaulted;
  }

  /** For {@code matchConstraints} and {@code matchResources}. */
  static Map<String, Object> defaultedMatch(Map<String, Object> match) {
    Map<String, Object> tree = Trees.thawMap(match);
    tree.putIfAbsent("namespaceSelector", Map.of());
    tree.putIfAbsent("objectSelector", Map.of());
    tree.putIfAbsent("matchPolicy", "Equivalent");
    for (String field : List.of("resourceRules", "excludeResourceRules")) {
      if (tree.get(field) instanceof List<?> rules) {
        tree.put(field, rules.stream().map(RuleValidation::defaulted).toList());
      }
    }
    return tree;
  }

  private static KubeObject withDefault(KubeObject object, Object value, String... path) {
    return object.at(path) == null ? object.with(value, path) : object;
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new ArrayList<FieldError>();
    List<Object> rules = object.list("spec", "matchConstraints", "resourceRules");
    if (object.at("spec", "matchConstraints") == null) {
      errors.add(FieldError.required("spec.matchConstraints", ""));
    } else if (rules.isEmpty()) {
      errors.add(FieldError.required("spec.matchConstraints.resourceRules", ""));
    }
    for (int i = 0; i < rules.size(); i++) {
      RuleValidation.validate(
          rules.get(i), "spec.matchConstraints.resourceRules[" + i + "]", errors);
    }
    List<Object> validations = object.list("spec", "validations");
    if (validations.isEmpty() && object.list("spec", "auditAnnotations").isEmpty()) {
      String either = "validations or auditAnnotations must contain at least one item";
      errors.add(FieldError.required("spec.validations", either));
      errors.add(FieldError.required("spec.auditAnnotations", either));
    }
    for (int i = 0; i < validations.size(); i++) {
      validate(validations.get(i), "spec.validations[" + i + "]", errors);
    }
    return errors;
  }

  private static void validate(Object validation, String path, List<FieldError> errors) {
    String expression = Trees.text(validation, "expression").strip();
    if (expression.isEmpty()) {
      errors.add(FieldError.required(path + ".expression", "expression is not specified"));
    } else {
      compile(expression, path + ".expression", CelExpression.Result.BOOL, errors);
    }
    String message = Trees.text(validation, "messageExpression").strip();
    if (!message.isEmpty()) {
      compile(message, path + ".messageExpression", CelExpression.Result.STRING, errors);
    }
    if (Trees.at(validation, "reason") instanceof String reason && !REASONS.contains(reason)) {
      errors.add(FieldError.notSupported(path + ".reason", reason, REASONS));
    }
  }

  private static void compile(
      String expression, String path, CelExpression.Result wanted, List<FieldError> errors) {
    try {
      CelExpression.compile(expression, PolicyVariables.NAMES, wanted);
    } catch (InvalidExpression e) {
      errors.add(FieldError.invalid(path, expression, String.valueOf(e.getMessage())));
    }
  }
}
