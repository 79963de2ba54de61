package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Roles and cluster roles: named by anything that fits a URL; a PUT makes one. Their rules are
 * checked as in Kubernetes' {@code apis/rbac/validation}.
 */
public class RoleStrategy implements ResourceStrategy {
  @Override
  public PutRules putRules() {
    return new PutRules(true, true);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    return rules(object);
  }

  private static List<FieldError> rules(KubeObject role) {
    var errors = new ArrayList<FieldError>();
    int index = 0;
    for (Object rule : role.list("rules")) {
      String path = "rules[" + index++ + "].";
      List<String> urls = Trees.texts(Trees.at(rule, "nonResourceURLs"));
      boolean ofResources =
          Stream.of("apiGroups", "resources", "resourceNames")
              .anyMatch(field -> !Trees.texts(Trees.at(rule, field)).isEmpty());
      require(rule, path, "verbs", "verbs must contain at least one value", errors);
      if (urls.isEmpty()) {
        require(
            rule, path, "apiGroups", "resource rules must supply at least one api group", errors);
        require(
            rule, path, "resources", "resource rules must supply at least one resource", errors);
      } else {
        if (role.kind().equals("Role")) {
          errors.add(
              FieldError.invalid(
                  path + "nonResourceURLs",
                  urls,
                  "namespaced rules cannot apply to non-resource URLs"));
        }
        if (ofResources) {
          errors.add(
              FieldError.invalid(
                  path + "nonResourceURLs",
                  urls,
                  "rules cannot apply to both regular resources and non-resource URLs"));
        }
      }
    }
    return errors;
  }

  private static void require(
      Object rule, String path, String field, String complaint, List<FieldError> errors) {
    if (Trees.texts(Trees.at(rule, field)).isEmpty()) {
      errors.add(FieldError.required(path + field, complaint));
    }
  }

  @Override
  public List<String> validateName(String name) {
    return NameRules.pathSegment(name);
  }
}
