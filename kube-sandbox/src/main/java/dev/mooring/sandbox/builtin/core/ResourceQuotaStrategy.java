package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.cel.library.Quantity;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * ResourceQuotas: known or qualified names with amounts, and scopes that fit them. After
 * kubernetes/pkg/apis/core/validation.
 *
 * @param parts keeps spec and status apart
 */
public record ResourceQuotaStrategy(PartStrategy parts) implements ResourceStrategy {
  private static final String SCOPES = "spec.scopes";
  private static final String EXPRESSIONS = "spec.scopeSelector.matchExpressions";
  private static final String BEST_EFFORT = "BestEffort";
  private static final Set<String> POD_SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity");
  private static final Set<String> EXISTING_SCOPES =
      Set.of(
          BEST_EFFORT,
          "NotBestEffort",
          "Terminating",
          "NotTerminating",
          "CrossNamespacePodAffinity");
  private static final String VOLUMES = "VolumeAttributesClass";
  private static final List<Set<String>> CONFLICTING =
      List.of(Set.of(BEST_EFFORT, "NotBestEffort"), Set.of("Terminating", "NotTerminating"));
  private static final String PODS = "pods";
  private static final Set<String> COMPUTE =
      Set.of("cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory");
  private static final Set<String> VOLUME_RESOURCES =
      Set.of("persistentvolumeclaims", "requests.storage");
  private static final Set<String> COUNTS =
      Set.of(
          PODS,
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
    selector(object, errors);
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return switch (parts.part()) {
      case SPEC -> {
        var errors = new FieldErrors(validateCreate(updated, context));
        List<Object> scopes = updated.list("spec", "scopes");
        if (!Set.copyOf(scopes).equals(Set.copyOf(current.list("spec", "scopes")))) {
          errors.invalid(SCOPES, updated.at("spec", "scopes"), "field is immutable");
        }
        yield errors;
      }
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
    Object given = quota.at("spec", "scopes");
    var known = new HashSet<String>();
    for (String scope : Trees.texts(given)) {
      if (!isScope(scope)) {
        errors.invalid(SCOPES, given, "unsupported scope");
      }
      for (int i = misfits(scope, quota); i > 0; i--) {
        errors.invalid(SCOPES, given, "unsupported scope applied to resource");
      }
      known.add(scope);
    }
    conflicts(known, given, errors);
  }

  private static boolean isScope(String scope) {
    return POD_SCOPES.contains(scope) || scope.equals(BEST_EFFORT) || scope.equals(VOLUMES);
  }

  private static void conflicts(Set<String> scopes, @Nullable Object given, FieldErrors errors) {
    for (Set<String> pair : CONFLICTING) {
      if (scopes.containsAll(pair)) {
        errors.invalid(SCOPES, given, "conflicting scopes");
      }
    }
  }

  /** How many of the limited resources are none that the scope is about. */
  private static int misfits(String scope, KubeObject quota) {
    return (int)
        quota.map("spec", "hard").keySet().stream()
            .filter(ResourceQuotaStrategy::standard)
            .filter(name -> !fits(scope, name))
            .count();
  }

  private static boolean fits(String scope, String name) {
    if (POD_SCOPES.contains(scope)) {
      return name.equals(PODS) || COMPUTE.contains(name);
    }
    return switch (scope) {
      case BEST_EFFORT -> name.equals(PODS);
      case VOLUMES -> VOLUME_RESOURCES.contains(name);
      default -> true;
    };
  }

  private static void selector(KubeObject quota, FieldErrors errors) {
    var known = new HashSet<String>();
    List<Object> expressions = quota.list("spec", "scopeSelector", "matchExpressions");
    for (Object expression : expressions) {
      String scope = Trees.text(expression, "scopeName");
      if (!isScope(scope)) {
        errors.invalid(EXPRESSIONS + ".scopeName", scope, "unsupported scope");
      }
      for (int i = misfits(scope, quota); i > 0; i--) {
        errors.add(FieldError.invalidOmitted(EXPRESSIONS, "unsupported scope applied to resource"));
      }
      operator(scope, expression, errors);
      known.add(scope);
    }
    conflicts(known, quota.at("spec", "scopes"), errors);
  }

  private static void operator(String scope, Object expression, FieldErrors errors) {
    String operator = Trees.text(expression, "operator");
    List<String> values = Trees.texts(Trees.at(expression, "values"));
    if (EXISTING_SCOPES.contains(scope) && !operator.equals("Exists")) {
      errors.invalid(
          EXPRESSIONS + ".operator",
          operator,
          "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
              + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
              + " ResourceQuotaScopeNotBestEffort or"
              + " ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.required(
              EXPRESSIONS + ".values",
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope"
                  + " selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.invalid(
              EXPRESSIONS + ".values",
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope"
                  + " selector");
        }
      }
      default ->
          errors.invalid(EXPRESSIONS + ".operator", operator, "not a valid selector operator");
    }
  }
}
