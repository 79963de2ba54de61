package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * ResourceQuotas: scopes that fit what is limited. After kubernetes/pkg/apis/core/validation.
 *
 * @param parts keeps spec and status apart
 */
public record ResourceQuotaStrategy(PartStrategy parts) implements ResourceStrategy {
  private static final String SCOPES = "spec.scopes";
  private static final String EXPRESSIONS = "spec.scopeSelector.matchExpressions";
  private static final Set<String> POD_RESOURCES =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "limits.cpu",
          "limits.memory",
          "requests.cpu",
          "requests.memory");

  /** The standard resources that a scope is about. */
  private static final Map<String, Set<String>> RESOURCES_BY_SCOPE =
      Map.of(
          "BestEffort", Set.of("pods"),
          "NotBestEffort", POD_RESOURCES,
          "Terminating", POD_RESOURCES,
          "NotTerminating", POD_RESOURCES,
          "PriorityClass", POD_RESOURCES,
          "CrossNamespacePodAffinity", POD_RESOURCES,
          "VolumeAttributesClass", Set.of("persistentvolumeclaims", "requests.storage"));

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return parts.prepareForCreate(object, context);
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return parts.prepareForUpdate(updated, current, context);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new FieldErrors();
    scopes(object, errors);
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return switch (parts.part()) {
      case SPEC -> validateCreate(updated, context);
      case STATUS -> List.of();
    };
  }

  private static void scopes(KubeObject quota, FieldErrors errors) {
    List<String> scopes = Trees.texts(quota.at("spec", "scopes"));
    scopes.forEach(scope -> scope(scope, quota, SCOPES, SCOPES, errors));
    for (Object expression : quota.list("spec", "scopeSelector", "matchExpressions")) {
      String scope = Trees.text(expression, "scopeName");
      scope(scope, quota, EXPRESSIONS + ".scopeName", EXPRESSIONS, errors);
    }
  }

  private static void scope(
      String scope, KubeObject quota, String ofUnknown, String ofMisfits, FieldErrors errors) {
    Set<String> resources = RESOURCES_BY_SCOPE.get(scope);
    if (resources == null) {
      errors.invalid(ofUnknown, scope, "unsupported scope");
    } else if (quota.map("spec", "hard").keySet().stream()
        .anyMatch(name -> name.indexOf('/') < 0 && !resources.contains(name))) {
      errors.invalid(ofMisfits, scope, "unsupported scope applied to resource");
    }
  }
}
