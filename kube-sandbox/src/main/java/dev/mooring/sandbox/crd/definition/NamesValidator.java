package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Whether a type's names can be served; every complaint stands below {@code spec.names}. */
final class NamesValidator {
  private static final Set<String> KUBERNETES_GROUPS =
      Set.of("apps", "autoscaling", "batch", "extensions", "policy");

  private NamesValidator() {}

  static void check(Map<String, Object> names, FieldErrors errors) {
    for (String name : List.of("plural", "singular", "kind", "listKind")) {
      if (Trees.text(names, name).isEmpty()) {
        errors.required("spec.names." + name, "");
      }
    }
    for (String name : List.of("plural", "singular")) {
      if (!Trees.text(names, name).isEmpty()) {
        label("spec.names." + name, Trees.text(names, name), errors);
      }
    }
    for (String name : List.of("kind", "listKind")) {
      String kind = Trees.text(names, name);
      String complaint = complaint(kind.toLowerCase(Locale.ROOT));
      if (!kind.isEmpty() && !complaint.isEmpty()) {
        errors.invalid(
            "spec.names." + name,
            kind,
            "may have mixed case, but should otherwise match: " + complaint);
      }
    }
    labels(names, "shortNames", errors);
    String kind = Trees.text(names, "kind");
    if (!kind.isEmpty() && kind.equals(Trees.text(names, "listKind"))) {
      errors.invalid("spec.names.listKind", kind, "kind and listKind may not be the same");
    }
    labels(names, "categories", errors);
  }

  private static void labels(Map<String, Object> names, String field, FieldErrors errors) {
    List<Object> values = Trees.list(names, field);
    for (int index = 0; index < values.size(); index++) {
      label(
          "spec.names." + field + "[" + index + "]", Trees.textOrEmpty(values.get(index)), errors);
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

  /** A group that is there, and none of Kubernetes' that have no dot in their name. */
  static void group(String group, FieldErrors errors) {
    if (group.isEmpty() || KUBERNETES_GROUPS.contains(group)) {
      return;
    }
    List<String> complaints = NameRules.subdomain(group);
    if (!complaints.isEmpty()) {
      errors.invalid("spec.group", group, String.join(",", complaints));
    } else if (!group.contains(".")) {
      errors.invalid("spec.group", group, "should be a domain with at least one dot");
    }
  }
}
