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

/** Defaults and rules of MutatingAdmissionPolicy. */
public final class MutatingPolicyStrategy implements ResourceStrategy {
  @Override
  public Generation generation() {
    return Generation.COUNTED;
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return PolicyRules.withMatchDefaults(
        object.at("spec") == null
            ? object
            : PolicyRules.withDefault(object, "Fail", "spec", "failurePolicy"),
        "matchConstraints");
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new FieldErrors();
    PolicyRules.beginning(object, errors);
    PolicyRules.conditions(object, errors);
    PolicyVariables variables = PolicyRules.variables(object, errors);
    CelEnvironment environment =
        variables.extend(PolicyRules.environment(object)).in(CelEnvironment.Dialect.PATCH);
    List<Object> mutations = object.list("spec", "mutations");
    if (mutations.isEmpty()) {
      errors.required("spec.mutations", "mutations must contain at least one item");
    }
    for (int i = 0; i < mutations.size(); i++) {
      mutation(mutations.get(i), environment, "spec.mutations[" + i + "]", errors);
    }
    PolicyRules.oneOf(
        object.at("spec", "reinvocationPolicy"),
        List.of("IfNeeded", "Never"),
        "spec.reinvocationPolicy",
        errors);
    return errors;
  }

  private static void mutation(
      Object mutation, CelEnvironment environment, String path, FieldErrors errors) {
    String type = Trees.text(mutation, "patchType");
    switch (type) {
      case "" -> errors.required(path + ".patchType", "");
      case "JSONPatch" ->
          patch(mutation, "jsonPatch", CelExpression.Result.PATCHES, environment, path, errors);
      case "ApplyConfiguration" ->
          patch(
              mutation,
              "applyConfiguration",
              CelExpression.Result.OBJECT,
              environment,
              path,
              errors);
      default ->
          errors.notSupported(
              path + ".patchType", type, List.of("ApplyConfiguration", "JSONPatch"));
    }
  }

  private static void patch(
      Object mutation,
      String field,
      CelExpression.Result wanted,
      CelEnvironment environment,
      String path,
      FieldErrors errors) {
    String here = path + "." + field;
    String expression = Trees.text(mutation, field, "expression").strip();
    if (Trees.at(mutation, field) == null) {
      errors.required(
          here, "must be specified when patchType is " + Trees.text(mutation, "patchType"));
    } else if (expression.isEmpty()) {
      errors.required(here + ".expression", "");
    } else {
      ConditionValidation.compile(expression, environment, wanted, here + ".expression", errors);
    }
  }
}
