package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What makes a CustomResourceDefinition valid (apiextensions {@code
 * pkg/apis/apiextensions/validation}). Errors name fields as Kubernetes does: what all versions
 * share stands at the top of the spec, where an older version of the API had it.
 */
final class CrdValidator {
  /** Groups of Kubernetes without a dot in their name. */
  private static final Set<String> KUBERNETES_GROUPS =
      Set.of("apps", "autoscaling", "batch", "extensions", "policy");

  private final Map<String, Object> spec;
  private final List<Object> versions;
  private final List<FieldError> errors = new ArrayList<>();

  private CrdValidator(KubeObject definition) {
    spec = definition.map("spec");
    versions = Trees.listOrEmpty(spec.get("versions"));
  }

  static List<FieldError> onCreate(KubeObject definition) {
    var rules = new CrdValidator(definition);
    rules.name(definition);
    rules.spec(List.of());
    rules.storedVersions(definition);
    ApiApproval.check(definition, rules.errors);
    return List.copyOf(rules.errors);
  }

  static List<FieldError> onUpdate(KubeObject updated, KubeObject current) {
    var rules = new CrdValidator(updated);
    rules.spec(Trees.listOrEmpty(current.at("spec", "versions")));
    if (current.hasCondition("Established")) {
      rules.immutable(current, "scope");
      rules.immutable(current, "names", "kind");
    }
    rules.immutable(current, "group");
    rules.immutable(current, "names", "plural");
    rules.storedVersions(updated);
    return List.copyOf(rules.errors);
  }

  private void name(KubeObject definition) {
    String group = text("group");
    String required = text("names", "plural") + "." + (group.isEmpty() ? "core" : group);
    if (!definition.name().equals(required)) {
      errors.add(
          FieldError.invalid(
              "metadata.name", definition.name(), "must be spec.names.plural+\".\"+spec.group"));
    }
  }

  private void spec(List<Object> checkedBefore) {
    group();
    String scope = text("scope");
    if (scope.isEmpty()) {
      errors.add(FieldError.required("spec.scope", ""));
    } else if (!List.of("Cluster", "Namespaced").contains(scope)) {
      errors.add(FieldError.notSupported("spec.scope", scope, List.of("Cluster", "Namespaced")));
    }
    schemas(checkedBefore);
    versions();
    NamesValidator.check(Trees.mapOrEmpty(spec.get("names")), errors);
    conversion();
  }

  private void group() {
    String group = text("group");
    if (KUBERNETES_GROUPS.contains(group)) {
      // As in kcp: workspaces get Kubernetes' own types as custom resources.
      return;
    }
    if (group.isEmpty()) {
      errors.add(FieldError.required("spec.group", ""));
      return;
    }
    List<String> complaints = NameRules.subdomain(group);
    if (!complaints.isEmpty()) {
      errors.add(FieldError.invalid("spec.group", group, String.join(",", complaints)));
    } else if (!group.contains(".")) {
      errors.add(
          FieldError.invalid("spec.group", group, "should be a domain with at least one dot"));
    }
  }

  private void schemas(List<Object> checkedBefore) {
    boolean shared =
        versions.stream().map(version -> Trees.at(version, "schema")).distinct().count() == 1;
    Set<Object> known = new HashSet<>();
    checkedBefore.forEach(version -> known.add(Trees.at(version, "schema", "openAPIV3Schema")));
    for (int index = 0; index < versions.size(); index++) {
      String own = "spec.versions[" + index + "].schema.openAPIV3Schema";
      Object schema = Trees.at(versions.get(index), "schema", "openAPIV3Schema");
      if (!(schema instanceof Map)) {
        errors.add(FieldError.required(own, ""));
      } else if (known.add(schema)) {
        errors.addAll(
            StructuralSchemaValidator.check(
                shared ? "spec.validation.openAPIV3Schema" : own, Trees.mapOrEmpty(schema)));
      }
    }
  }

  private void versions() {
    Set<String> seen = new HashSet<>();
    int storage = 0;
    boolean unique = true;
    for (int index = 0; index < versions.size(); index++) {
      Map<String, Object> version = Trees.mapOrEmpty(versions.get(index));
      String name = Trees.textOrEmpty(version.get("name"));
      String here = "spec.versions[" + index + "]";
      NamesValidator.label(here + ".name", name, errors);
      unique &= seen.add(name);
      storage += Boolean.TRUE.equals(version.get("storage")) ? 1 : 0;
      VersionValidator.deprecation(here, version, errors);
      VersionValidator.check(versions.size() == 1 ? "spec" : here, version, errors);
    }
    if (!unique) {
      errors.add(
          FieldError.invalid("spec.versions", versions, "must contain unique version names"));
    }
    if (storage != 1) {
      errors.add(
          FieldError.invalid(
              "spec.versions",
              versions,
              "must have exactly one version marked as storage version"));
    }
  }

  private void conversion() {
    String strategy = text("conversion", "strategy");
    if (strategy.equals("Webhook")) {
      errors.add(
          FieldError.forbidden(
              "spec.conversion.strategy", "conversion webhooks are not supported by kcp"));
    } else if (!strategy.isEmpty() && !strategy.equals("None")) {
      errors.add(
          FieldError.notSupported(
              "spec.conversion.strategy", strategy, List.of("None", "Webhook")));
    }
  }

  private void storedVersions(KubeObject definition) {
    List<Object> stored = definition.list("status", "storedVersions");
    if (stored.isEmpty()) {
      errors.add(
          FieldError.invalid(
              "status.storedVersions", null, "must have at least one stored version"));
      return;
    }
    List<Object> named = versions.stream().map(version -> Trees.at(version, "name")).toList();
    for (int index = 0; index < stored.size(); index++) {
      if (!named.contains(stored.get(index))) {
        String version = stored.get(index).toString();
        errors.add(
            FieldError.invalid(
                "status.storedVersions[" + index + "]",
                version,
                ("missing from spec.versions; %1$s was previously a storage version, and must"
                        + " remain in spec.versions until a storage migration ensures no data"
                        + " remains persisted in %1$s and removes %1$s from status.storedVersions")
                    .formatted(version)));
      }
    }
  }

  private void immutable(KubeObject current, String... path) {
    Object before = Trees.at(current.at("spec"), path);
    Object after = Trees.at(spec, path);
    if (!Objects.equals(before, after)) {
      errors.add(FieldError.invalid("spec." + String.join(".", path), after, "field is immutable"));
    }
  }

  private String text(String... path) {
    return Trees.text(spec, path);
  }
}
