package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;
import java.util.Set;

/**
 * ResourceQuotas: those with scopes limit pods and volumes alone.
 *
 * @param parts keeps spec and status apart
 */
public record ResourceQuotaStrategy(PartStrategy parts) implements ResourceStrategy {
  /** The standard resources that some scope is about. */
  private static final Set<String> SCOPED =
      Set.of(
          "pods",
          "cpu",
          "memory",
          "limits.cpu",
          "limits.memory",
          "requests.cpu",
          "requests.memory",
          "requests.storage",
          "persistentvolumeclaims");

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return parts.prepareForCreate(object, context);
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return parts.prepareForUpdate(updated, current, context);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject quota, WriteContext context) {
    var errors = new FieldErrors();
    boolean fits =
        quota.map("spec", "hard").keySet().stream()
            .allMatch(name -> name.indexOf('/') >= 0 || SCOPED.contains(name));
    for (String path : List.of("spec.scopes", "spec.scopeSelector.matchExpressions")) {
      List<Object> scopes = quota.list(path.split("\\."));
      if (!scopes.isEmpty() && !fits) {
        errors.invalid(path, scopes, "unsupported scope applied to resource");
      }
    }
    return errors;
  }
}
