package dev.mooring.sandbox.admission.match;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    validateResources(Trees.texts(Trees.at(rule, "resources")), path + ".resources", errors);
    if (Trees.at(rule, "scope") instanceof String scope && !SCOPES.contains(scope)) {
      errors.notSupported(path + ".scope", scope, SCOPES);
    }
  }

  private static FieldError covered(String path, String resource, String by) {
    return FieldError.invalid(
        path, resource, "if '%s' is present, must not specify %s".formatted(by, resource));
  }

  private static void validateList(
      List<String> values, String path, String what, FieldErrors errors) {
    if (values.isEmpty()) {
      errors.required(path, "");
    } else if (values.size() > 1 && values.contains(ALL)) {
      errors.invalid(path, values, "if '*' is present, must not specify other " + what);
    }
  }

  private static void validateResources(List<String> resources, String path, FieldErrors errors) {
    if (resources.isEmpty()) {
      errors.required(path, "");
    }
    Set<String> wholes = new HashSet<>();
    Set<String> parts = new HashSet<>();
    for (int i = 0; i < resources.size(); i++) {
      String here = path + "[" + i + "]";
      String resource = resources.get(i);
      int slash = resource.indexOf('/');
      if (resource.isEmpty()) {
        errors.required(here, "");
      }
      if (slash < 0) {
        continue;
      }
      String whole = resource.substring(0, slash);
      String part = resource.substring(slash + 1);
      if (wholes.contains(whole)) {
        errors.add(covered(here, resource, whole + "/*"));
      }
      if (parts.contains(part)) {
        errors.add(covered(here, resource, "*/" + part));
      }
      if (part.equals(ALL)) {
        wholes.add(whole);
      }
      if (whole.equals(ALL)) {
        parts.add(part);
      }
    }
    if (resources.size() > 1 && resources.contains("*/*")) {
      errors.invalid(path, resources, "if '*/*' is present, must not specify other resources");
    }
    if (resources.contains(ALL)
        && resources.stream().anyMatch(name -> !name.equals(ALL) && !name.contains("/"))) {
      errors.invalid(
          path,
          resources,
          "if '*' is present, must not specify other resources without subresources");
    }
  }
}
