package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Whether a type's names can be served; every complaint stands below {@code spec.names}. */
final class NamesValidator {
  private final Map<String, Object> names;
  private final FieldErrors errors;

  private NamesValidator(Map<String, Object> names, FieldErrors errors) {
    this.names = names;
    this.errors = errors;
  }

  static void check(Map<String, Object> names, FieldErrors errors) {
    new NamesValidator(names, errors).check();
  }

  private void check() {
    for (String name : List.of("plural", "singular", "kind", "listKind")) {
      if (text(name).isEmpty()) {
        errors.required("spec.names." + name, "");
      }
    }
    optionalLabel("plural");
    optionalLabel("singular");
    kind("kind");
    kind("listKind");
    labels("shortNames");
    if (!text("kind").isEmpty() && text("kind").equals(text("listKind"))) {
      errors.invalid(
          "spec.names.listKind", text("listKind"), "kind and listKind may not be the same");
    }
    labels("categories");
  }

  private void labels(String field) {
    List<Object> values = Trees.listOrEmpty(names.get(field));
    for (int index = 0; index < values.size(); index++) {
      label(
          "spec.names." + field + "[" + index + "]", Trees.textOrEmpty(values.get(index)), errors);
    }
  }

  private void optionalLabel(String field) {
    if (!text(field).isEmpty()) {
      label("spec.names." + field, text(field), errors);
    }
  }

  private void kind(String field) {
    String value = text(field);
    if (!value.isEmpty() && !complaint(value.toLowerCase(Locale.ROOT)).isEmpty()) {
      errors.invalid(
          "spec.names." + field,
          value,
          "may have mixed case, but should otherwise match: "
              + complaint(value.toLowerCase(Locale.ROOT)));
    }
  }

  static void label(String field, String value, FieldErrors errors) {
    String complaint = complaint(value);
    if (!complaint.isEmpty()) {
      errors.invalid(field, value, complaint);
    }
  }

  private static String complaint(String value) {
    return String.join(",", NameRules.dns1035Label(value));
  }

  private String text(String field) {
    return Trees.textOrEmpty(names.get(field));
  }
}
