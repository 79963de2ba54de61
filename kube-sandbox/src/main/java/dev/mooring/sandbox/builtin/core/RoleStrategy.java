package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;

/** Roles and cluster roles: each rule is about resources or about URLs, and says all it needs. */
public final class RoleStrategy extends RbacStrategy {
  @Override
  public List<FieldError> validateCreate(KubeObject role, WriteContext context) {
    var errors = new FieldErrors();
    List<Object> rules = role.list("rules");
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), !role.namespace().isEmpty(), "rules[" + i + "]", errors);
    }
    return errors;
  }

  private static void rule(Object rule, boolean namespaced, String path, FieldErrors errors) {
    if (isEmpty(rule, "verbs")) {
      errors.required(path + ".verbs", "verbs must contain at least one value");
    }
    if (isEmpty(rule, "nonResourceURLs")) {
      if (isEmpty(rule, "apiGroups")) {
        errors.required(path + ".apiGroups", "resource rules must supply at least one api group");
      }
      if (isEmpty(rule, "resources")) {
        errors.required(path + ".resources", "resource rules must supply at least one resource");
      }
      return;
    }
    String field = path + ".nonResourceURLs";
    Object urls = Trees.at(rule, "nonResourceURLs");
    if (namespaced) {
      errors.invalid(field, urls, "namespaced rules cannot apply to non-resource URLs");
    }
    if (!isEmpty(rule, "apiGroups")
        || !isEmpty(rule, "resources")
        || !isEmpty(rule, "resourceNames")) {
      errors.invalid(
          field, urls, "rules cannot apply to both regular resources and non-resource URLs");
    }
  }

  private static boolean isEmpty(Object rule, String field) {
    return Trees.list(rule, field).isEmpty();
  }
}
