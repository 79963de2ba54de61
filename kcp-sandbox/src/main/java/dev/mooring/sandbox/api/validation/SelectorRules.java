package dev.mooring.sandbox.api.validation;

import dev.mooring.model.object.Trees;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a label selector has to keep (apimachinery {@code pkg/apis/meta/v1/validation}). */
public final class SelectorRules {
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  private SelectorRules() {}

  /** Adds what is wrong with the selector at the path. */
  public static void check(@Nullable Object selector, String path, List<FieldError> errors) {
    Trees.mapOrEmpty(Trees.at(selector, "matchLabels"))
        .forEach((key, value) -> {
          String here = path + ".matchLabels";
          key(key, here, errors);
          NameRules.labelValue(Trees.textOrEmpty(value))
              .forEach(complaint -> errors.add(FieldError.invalid(here, value, complaint)));
        });
    List<Object> expressions = Trees.listOrEmpty(Trees.at(selector, "matchExpressions"));
    for (int i = 0; i < expressions.size(); i++) {
      expression(expressions.get(i), path + ".matchExpressions[" + i + "]", errors);
    }
  }

  /** As a selector's expression is checked, but for operators that only other servers know. */
  public static void checkKnown(Object expression, String path, List<FieldError> errors) {
    if (OPERATORS.contains(Trees.text(expression, "operator"))) {
      expression(expression, path, errors);
    } else {
      key(Trees.text(expression, "key"), path + ".key", errors);
    }
  }

  private static void expression(Object expression, String path, List<FieldError> errors) {
    String operator = Trees.text(expression, "operator");
    List<String> values = Trees.texts(Trees.at(expression, "values"));
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.add(
              FieldError.required(
                  path + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.add(
              FieldError.forbidden(
                  path + ".values",
                  "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
      }
      default ->
          errors.add(
              FieldError.invalid(path + ".operator", operator, "not a valid selector operator"));
    }
    key(Trees.text(expression, "key"), path + ".key", errors);
    if (OPERATORS.contains(operator)) {
      for (int i = 0; i < values.size(); i++) {
        String here = path + ".values[" + i + "]";
        String value = values.get(i);
        NameRules.labelValue(value)
            .forEach(complaint -> errors.add(FieldError.invalid(here, value, complaint)));
      }
    }
  }

  private static void key(String key, String path, List<FieldError> errors) {
    NameRules.qualifiedName(key)
        .forEach(complaint -> errors.add(FieldError.invalid(path, key, complaint)));
  }
}
