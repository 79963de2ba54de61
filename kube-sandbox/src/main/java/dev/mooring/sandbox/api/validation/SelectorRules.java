package dev.mooring.sandbox.api.validation;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a label selector has to keep (apimachinery {@code pkg/apis/meta/v1/validation}). */
public final class SelectorRules {
  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  /** Of {@code matchLabels}. */
  private static final String EQUALS = "=";

  private SelectorRules() {}

  /** Adds what is wrong with the selector at the path. */
  public static void check(@Nullable Object selector, String path, FieldErrors errors) {
    Trees.map(selector, "matchLabels")
        .forEach((key, value) -> {
          String here = path + ".matchLabels";
          key(key, here, errors);
          NameRules.labelValue(Trees.textOrEmpty(value))
              .forEach(complaint -> errors.invalid(here, value, complaint));
        });
    List<Object> expressions = Trees.list(selector, "matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      expression(expressions.get(i), path + ".matchExpressions[" + i + "]", errors);
    }
  }

  /**
   * Why a selector cannot be used, of its first requirement that is wrong (apimachinery {@code
   * LabelSelectorAsSelector}); empty if it can.
   */
  public static Optional<String> obstacle(@Nullable Object selector) {
    Stream<Optional<String>> labels =
        Trees.map(selector, "matchLabels").entrySet().stream()
            .map(label ->
                obstacle(label.getKey(), EQUALS, List.of(Trees.textOrEmpty(label.getValue()))));
    Stream<Optional<String>> expressions =
        Trees.list(selector, "matchExpressions").stream()
            .map(expression ->
                obstacle(
                    Trees.text(expression, "key"),
                    Trees.text(expression, "operator"),
                    Trees.texts(Trees.at(expression, "values"))));
    return Stream.concat(labels, expressions).flatMap(Optional::stream).findFirst();
  }

  private static Optional<String> obstacle(String key, String operator, List<String> values) {
    if (!operator.equals(EQUALS) && !OPERATORS.contains(operator)) {
      return Optional.of(GoQuotes.quote(operator) + " is not a valid label selector operator");
    }
    var errors = new FieldErrors();
    key(key, "key", errors);
    if (Set.of("In", "NotIn").contains(operator) && values.isEmpty()) {
      errors.invalid("values", null, "for 'in', 'notin' operators, values set can't be empty");
    }
    if (Set.of("Exists", "DoesNotExist").contains(operator) && !values.isEmpty()) {
      errors.invalid("values", values, "values set must be empty for exists and does not exist");
    }
    for (int i = 0; i < values.size(); i++) {
      labelValue(values.get(i), "values[" + i + "][" + key + "]", errors);
    }
    String texts = errors.stream().map(FieldError::toString).collect(Collectors.joining(", "));
    return errors.isEmpty()
        ? Optional.empty()
        : Optional.of(errors.size() == 1 ? texts : "[" + texts + "]");
  }

  private static void expression(Object expression, String path, FieldErrors errors) {
    String operator = Trees.text(expression, "operator");
    List<String> values = Trees.texts(Trees.at(expression, "values"));
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.required(path + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.forbidden(
              path + ".values",
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
      }
      default -> errors.invalid(path + ".operator", operator, "not a valid selector operator");
    }
    key(Trees.text(expression, "key"), path + ".key", errors);
    if (OPERATORS.contains(operator)) {
      for (int i = 0; i < values.size(); i++) {
        labelValue(values.get(i), path + ".values[" + i + "]", errors);
      }
    }
  }

  private static void labelValue(String value, String path, FieldErrors errors) {
    NameRules.labelValue(value).forEach(complaint -> errors.invalid(path, value, complaint));
  }

  private static void key(String key, String path, FieldErrors errors) {
    NameRules.qualifiedName(key).forEach(complaint -> errors.invalid(path, key, complaint));
  }
}
