package dev.mooring.sandbox.builtin.core;

import com.google.common.collect.Sets;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.cel.library.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * ResourceQuotas: known or qualified names with amounts, and scopes that fit them. After
 * kubernetes/pkg/apis/core/validation.
 *
 * @param parts keeps spec and status apart
 */
public record ResourceQuotaStrategy(PartStrategy parts) implements ResourceStrategy {
  private static final String SCOPES = "spec.scopes";
  private static final String EXPRESSIONS = "spec.scopeSelector.matchExpressions";
  private static final Set<String> COMPUTE =
      Set.of("cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory");
  private static final Set<String> POD_RESOURCES =
      Sets.union(COMPUTE, Set.of("pods")).immutableCopy();

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

  private static final Set<String> COUNTS =
      Set.of(
          "pods",
          "resourcequotas",
          "services",
          "replicationcontrollers",
          "secrets",
          "configmaps",
          "persistentvolumeclaims",
          "services.nodeports",
          "services.loadbalancers");
  private static final Set<String> AMOUNTS =
      Set.of(
          "ephemeral-storage",
          "requests.storage",
          "requests.ephemeral-storage",
          "limits.ephemeral-storage");

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
    amounts(object, "spec", "hard", errors);
    scopes(object, errors);
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return switch (parts.part()) {
      case SPEC -> validateCreate(updated, context);
      case STATUS -> {
        var errors = new FieldErrors();
        amounts(updated, "status", "hard", errors);
        amounts(updated, "status", "used", errors);
        yield errors;
      }
    };
  }

  private static void amounts(KubeObject quota, String part, String field, FieldErrors errors) {
    quota
        .map(part, field)
        .forEach((name, value) -> {
          String path = "%s.%s[%s]".formatted(part, field, name);
          name(name, path, errors);
          String text = Trees.textOrEmpty(value);
          BigDecimal amount = Quantity.parse(text).map(Quantity::amount).orElse(BigDecimal.ZERO);
          if (amount.signum() < 0) {
            errors.invalid(path, text, "must be greater than or equal to 0");
          }
          boolean whole = amount.stripTrailingZeros().scale() <= 0;
          if (!whole && (COUNTS.contains(name) || extended(name))) {
            errors.invalid(path, text, "must be an integer");
          }
        });
  }

  private static void name(String name, String path, FieldErrors errors) {
    List<String> violations = NameRules.qualifiedName(name);
    violations.forEach(text -> errors.invalid(path, name, text));
    if (name.indexOf('/') < 0 && !standard(name)) {
      if (violations.isEmpty() && !name.equals("storage")) {
        errors.invalid(path, name, "must be a standard resource type or fully qualified");
      }
      errors.invalid(path, name, "must be a standard resource for quota");
    }
  }

  private static boolean standard(String name) {
    return COUNTS.contains(name)
        || COMPUTE.contains(name)
        || AMOUNTS.contains(name)
        || name.startsWith("hugepages-")
        || name.startsWith("requests.hugepages-");
  }

  /** An extended resource, which is counted in whole numbers. */
  private static boolean extended(String name) {
    return name.indexOf('/') >= 0
        && !name.contains("kubernetes.io/")
        && !name.startsWith("requests.")
        && NameRules.qualifiedName("requests." + name).isEmpty();
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
        .anyMatch(name -> standard(name) && !resources.contains(name))) {
      errors.invalid(ofMisfits, scope, "unsupported scope applied to resource");
    }
  }
}
