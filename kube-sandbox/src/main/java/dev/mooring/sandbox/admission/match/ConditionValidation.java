package dev.mooring.sandbox.admission.match;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.HashSet;
import java.util.List;

/** What {@code matchConditions} have to keep; for webhooks and for admission policies. */
public final class ConditionValidation {
  private static final int CONDITIONS_MAX = 64;

  private ConditionValidation() {}

  /**
   * @param environment what the conditions may use
   */
  public static void validate(
      List<Object> conditions, CelEnvironment environment, String path, FieldErrors errors) {
    if (conditions.size() > CONDITIONS_MAX) {
      errors.add(FieldError.tooMany(path, conditions.size(), CONDITIONS_MAX));
    }
    var names = new HashSet<String>();
    for (int i = 0; i < conditions.size() && i < CONDITIONS_MAX; i++) {
      String here = path + "[" + i + "]";
      String expression = Trees.text(conditions.get(i), "expression").strip();
      if (expression.isEmpty()) {
        errors.required(here + ".expression", "");
      } else {
        compile(
            expression, environment, CelExpression.Result.CONDITION, here + ".expression", errors);
      }
      String name = Trees.text(conditions.get(i), "name");
      if (name.isEmpty()) {
        errors.required(here + ".name", "");
      } else {
        NameRules.qualifiedName(name)
            .forEach(complaint -> errors.invalid(here + ".name", name, complaint));
        if (!names.add(name)) {
          errors.duplicate(here + ".name", name);
        }
      }
    }
  }

  /** Adds why the expression does not compile. */
  public static void compile(
      String expression,
      CelEnvironment environment,
      CelExpression.Result wanted,
      String path,
      FieldErrors errors) {
    try {
      CelExpression.compile(expression, environment, wanted);
    } catch (InvalidExpression e) {
      errors.invalid(path, expression, String.valueOf(e.getMessage()));
    }
  }
}
