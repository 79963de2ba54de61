package dev.mooring.sandbox.admission.policy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.AdmissionVariables;
import dev.mooring.sandbox.admission.match.ConditionValidation;
import dev.mooring.sandbox.admission.match.RuleValidation;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import dev.mooring.sandbox.api.validation.SelectorRules;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What validating and mutating policies and their bindings have to keep alike, in the order of
 * Kubernetes' checks ({@code pkg/apis/admissionregistration/validation}).
 */
final class PolicyRules {
  private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");

  private PolicyRules() {}

  /** For {@code matchConstraints} and {@code matchResources}. */
  static KubeObject withMatchDefaults(KubeObject object, String field) {
    if (!(object.at("spec", field) instanceof Map<?, ?> match)) {
      return object;
    }
    Map<String, Object> tree = Trees.thawMap(match);
    tree.putIfAbsent("namespaceSelector", Map.of());
    tree.putIfAbsent("objectSelector", Map.of());
    tree.putIfAbsent("matchPolicy", "Equivalent");
    for (String rules : List.of("resourceRules", "excludeResourceRules")) {
      if (tree.get(rules) instanceof List<?> list) {
        tree.put(rules, list.stream().map(RuleValidation::defaulted).toList());
      }
    }
    return object.with(tree, "spec", field);
  }

  static KubeObject withDefault(KubeObject object, Object value, String... path) {
    return object.at(path) == null ? object.with(value, path) : object;
  }

  /** What stands before the validations or mutations of a policy, but for its variables. */
  static void beginning(KubeObject policy, FieldErrors errors) {
    oneOf(
        policy.at("spec", "failurePolicy"),
        List.of("Fail", "Ignore"),
        "spec.failurePolicy",
        errors);
    Object paramKind = policy.at("spec", "paramKind");
    if (paramKind != null) {
      for (String field : List.of("apiVersion", "kind")) {
        if (Trees.text(paramKind, field).isEmpty()) {
          errors.required("spec.paramKind." + field, "");
        }
      }
    }
    Object constraints = policy.at("spec", "matchConstraints");
    if (constraints == null) {
      errors.required("spec.matchConstraints", "");
    } else {
      match(constraints, "spec.matchConstraints", errors);
      if (Trees.list(constraints, "resourceRules").isEmpty()) {
        errors.required("spec.matchConstraints.resourceRules", "");
      }
    }
  }

  static void conditions(KubeObject policy, FieldErrors errors) {
    ConditionValidation.validate(
        policy.list("spec", "matchConditions"),
        environment(policy),
        "spec.matchConditions",
        errors);
  }

  /** What a policy's expressions may use, without its variables. */
  static CelEnvironment environment(KubeObject policy) {
    return AdmissionVariables.withAuthorizer(messageEnvironment(policy));
  }

  static CelEnvironment messageEnvironment(KubeObject policy) {
    return policy.at("spec", "paramKind") == null
        ? AdmissionVariables.MESSAGE
        : AdmissionVariables.withParams(AdmissionVariables.MESSAGE);
  }

  /** Checks the variables; those that are fine are in the answer. */
  static PolicyVariables variables(KubeObject policy, FieldErrors errors) {
    List<Object> variables = policy.list("spec", "variables");
    var usable = new ArrayList<Object>();
    var origins = new ArrayList<Integer>();
    for (int i = 0; i < variables.size(); i++) {
      String path = "spec.variables[" + i + "]";
      String name = Trees.text(variables.get(i), "name");
      boolean named = IDENTIFIER.matcher(name).matches() && !CelNames.RESERVED.contains(name);
      if (name.isBlank()) {
        errors.required(path + ".name", "name is not specified");
      } else if (!named) {
        errors.invalid(path + ".name", name, "must be a valid CEL identifier");
      }
      if (Trees.text(variables.get(i), "expression").isBlank()) {
        errors.required(path + ".expression", "expression is not specified");
      } else if (named) {
        usable.add(variables.get(i));
        origins.add(i);
      }
    }
    return PolicyVariables.checked(
        usable,
        environment(policy),
        (index, problem) ->
            errors.invalid(
                "spec.variables[" + origins.get(index) + "].expression",
                Trees.text(usable.get(index), "expression"),
                problem));
  }

  static void oneOf(@Nullable Object value, List<String> allowed, String path, FieldErrors errors) {
    if (value == null) {
      errors.required(path, "");
    } else if (!allowed.contains(value)) {
      errors.notSupported(path, Trees.textOrEmpty(value), allowed);
    }
  }

  static void match(Object match, String path, FieldErrors errors) {
    oneOf(
        Trees.at(match, "matchPolicy"),
        List.of("Equivalent", "Exact"),
        path + ".matchPolicy",
        errors);
    for (String selector : List.of("namespaceSelector", "objectSelector")) {
      SelectorRules.check(Trees.at(match, selector), path + "." + selector, errors);
    }
    for (String field : List.of("resourceRules", "excludeResourceRules")) {
      List<Object> rules = Trees.list(match, field);
      for (int i = 0; i < rules.size(); i++) {
        String here = path + "." + field + "[" + i + "]";
        RuleValidation.validate(rules.get(i), here, errors);
      }
    }
  }

  /** What bindings of both kinds have to keep. */
  static void binding(KubeObject binding, FieldErrors errors) {
    String policy = binding.text("spec", "policyName");
    if (policy.isEmpty()) {
      errors.required("spec.policyName", "");
    } else {
      NameRules.subdomain(policy)
          .forEach(complaint -> errors.invalid("spec.policyName", policy, complaint));
    }
    Object params = binding.at("spec", "paramRef");
    if (params != null) {
      paramRef(params, errors);
    }
    Object resources = binding.at("spec", "matchResources");
    if (resources != null) {
      match(resources, "spec.matchResources", errors);
    }
  }

  private static void paramRef(Object ref, FieldErrors errors) {
    String path = "spec.paramRef";
    String name = Trees.text(ref, "name");
    Object selector = Trees.at(ref, "selector");
    NameRules.pathSegment(name)
        .forEach(complaint -> errors.invalid(path + ".name", name, complaint));
    if (selector != null) {
      SelectorRules.check(selector, path + ".selector", errors);
    } else if (name.isEmpty()) {
      errors.required(path, "one of name or selector must be specified");
    }
    oneOf(
        Trees.at(ref, "parameterNotFoundAction"),
        List.of("Deny", "Allow"),
        path + ".parameterNotFoundAction",
        errors);
  }
}
