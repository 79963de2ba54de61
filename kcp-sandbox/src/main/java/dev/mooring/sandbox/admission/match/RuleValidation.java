package dev.mooring.sandbox.admission.match;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;
import java.util.Map;

/** What an element of {@code rules} has to keep; for webhooks and for admission policies. */
public final class RuleValidation {
  private static final String ALL = "*";
  private static final List<String> OPERATIONS =
      List.of(ALL, "CONNECT", "CREATE", "DELETE", "UPDATE");
  private static final List<String> SCOPES = List.of(ALL, "Cluster", "Namespaced");

  private RuleValidation() {}

  /** A rule with its default scope; anything else as it is. */
  public static Object defaulted(Object rule) {
    if (!(rule instanceof Map<?, ?> map)) {
      return rule;
    }
    Map<String, Object> tree = Trees.thawMap(map);
    tree.putIfAbsent("scope", ALL);
    return tree;
  }

  public static void validate(Object rule, String path, List<FieldError> errors) {
    List<String> operations = Trees.texts(Trees.at(rule, "operations"));
    validateList(operations, path + ".operations", "operations", errors);
    for (int i = 0; i < operations.size(); i++) {
      if (!OPERATIONS.contains(operations.get(i))) {
        errors.add(
            FieldError.notSupported(
                path + ".operations[" + i + "]", operations.get(i), OPERATIONS));
      }
    }
    validateList(
        Trees.texts(Trees.at(rule, "apiGroups")), path + ".apiGroups", "API groups", errors);
    List<String> versions = Trees.texts(Trees.at(rule, "apiVersions"));
    validateList(versions, path + ".apiVersions", "API versions", errors);
    for (int i = 0; i < versions.size(); i++) {
      if (versions.get(i).isEmpty()) {
        errors.add(FieldError.required(path + ".apiVersions[" + i + "]", ""));
      }
    }
    validateResources(Trees.texts(Trees.at(rule, "resources")), path + ".resources", errors);
    if (Trees.at(rule, "scope") instanceof String scope && !SCOPES.contains(scope)) {
      errors.add(FieldError.notSupported(path + ".scope", scope, SCOPES));
    }
  }

  private static void validateList(
      List<String> values, String path, String what, List<FieldError> errors) {
    if (values.isEmpty()) {
      errors.add(FieldError.required(path, ""));
    } else if (values.size() > 1 && values.contains(ALL)) {
      errors.add(
          FieldError.invalid(path, values, "if '*' is present, must not specify other " + what));
    }
  }

  private static void validateResources(
      List<String> resources, String path, List<FieldError> errors) {
    if (resources.isEmpty()) {
      errors.add(FieldError.required(path, ""));
    }
    for (int i = 0; i < resources.size(); i++) {
      if (resources.get(i).isEmpty()) {
        errors.add(FieldError.required(path + "[" + i + "]", ""));
      }
    }
    if (resources.size() > 1 && resources.contains("*/*")) {
      errors.add(
          FieldError.invalid(
              path, resources, "if '*/*' is present, must not specify other resources"));
    }
    if (resources.contains(ALL)
        && resources.stream().anyMatch(name -> !name.equals(ALL) && !name.contains("/"))) {
      errors.add(
          FieldError.invalid(
              path,
              resources,
              "if '*' is present, must not specify other resources without subresources"));
    }
  }
}
