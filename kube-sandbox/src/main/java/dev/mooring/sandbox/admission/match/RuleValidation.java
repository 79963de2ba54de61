package dev.mooring.sandbox.admission.match;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldErrors;
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

  public static void validate(Object rule, String path, FieldErrors errors) {
    List<String> operations = Trees.texts(Trees.at(rule, "operations"));
    validateList(operations, path + ".operations", "operations", errors);
    for (int i = 0; i < operations.size(); i++) {
      if (!OPERATIONS.contains(operations.get(i))) {
        errors.notSupported(path + ".operations[" + i + "]", operations.get(i), OPERATIONS);
      }
    }
    validateList(
        Trees.texts(Trees.at(rule, "apiGroups")), path + ".apiGroups", "API groups", errors);
    List<String> versions = Trees.texts(Trees.at(rule, "apiVersions"));
    validateList(versions, path + ".apiVersions", "API versions", errors);
    for (int i = 0; i < versions.size(); i++) {
      if (versions.get(i).isEmpty()) {
        errors.required(path + ".apiVersions[" + i + "]", "");
      }
    }
    if (Trees.list(rule, "resources").isEmpty()) {
      errors.required(path + ".resources", "");
    }
    if (Trees.at(rule, "scope") instanceof String scope && !SCOPES.contains(scope)) {
      errors.notSupported(path + ".scope", scope, SCOPES);
    }
  }

  private static void validateList(
      List<String> values, String path, String what, FieldErrors errors) {
    if (values.isEmpty()) {
      errors.required(path, "");
    } else if (values.size() > 1 && values.contains(ALL)) {
      errors.invalid(path, values, "if '*' is present, must not specify other " + what);
    }
  }
}
