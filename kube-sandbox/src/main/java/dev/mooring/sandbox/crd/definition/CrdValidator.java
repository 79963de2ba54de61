package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.WebhookAddress;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What makes a CustomResourceDefinition valid (apiextensions {@code
 * pkg/apis/apiextensions/validation}). Errors name fields as Kubernetes does: what all versions
 * share stands at the top of the spec, where an older version of the API had it.
 */
final class CrdValidator {
  private static final List<String> VERSIONED =
      List.of("schema", "subresources", "additionalPrinterColumns", "selectableFields");

  private final Map<String, Object> spec;
  private final List<Object> versions;
  private final FieldErrors errors = new FieldErrors();

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
    if (Boolean.TRUE.equals(rules.spec.get("preserveUnknownFields"))) {
      rules.errors.invalid(
          "spec.preserveUnknownFields",
          true,
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
    return List.copyOf(rules.errors);
  }

  static List<FieldError> onUpdate(KubeObject updated, KubeObject current) {
    var rules = new CrdValidator(updated);
    rules.spec(Trees.listOrEmpty(current.at("spec", "versions")));
    if (current.hasCondition("Established")) {
      rules.authorities(caBundle(current.at("spec")));
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
    if (!definition.name().isEmpty() && !definition.name().equals(required)) {
      errors.invalid(
          "metadata.name", definition.name(), "must be spec.names.plural+\".\"+spec.group");
    }
  }

  private void spec(List<Object> checkedBefore) {
    NamesValidator.group(text("group"), errors);
    String scope = text("scope");
    if (scope.isEmpty()) {
      errors.required("spec.scope", "");
    } else if (!List.of("Cluster", "Namespaced").contains(scope)) {
      errors.notSupported("spec.scope", scope, List.of("Cluster", "Namespaced"));
    }
    for (int index = 0; index < versions.size(); index++) {
      if (!(schema(versions.get(index)) instanceof Map<?, ?>)) {
        errors.required("spec.versions[" + index + "].schema.openAPIV3Schema", "");
      }
    }
    Set<Object> known = new HashSet<>();
    checkedBefore.forEach(version -> known.add(schema(version)));
    versions(known);
    NamesValidator.check(Trees.mapOrEmpty(spec.get("names")), errors);
    if (!versions.isEmpty()) {
      VERSIONED.stream()
          .filter(this::isShared)
          .forEach(field -> part("spec", field, Trees.mapOrEmpty(versions.getFirst()), known));
    }
    conversion();
  }

  private static @Nullable Object schema(Object version) {
    return Trees.at(version, "schema", "openAPIV3Schema");
  }

  /** What all versions have alike is checked once, at the top of the spec. */
  private boolean isShared(String field) {
    return versions.stream()
            .map(version -> Optional.ofNullable(Trees.at(version, field)))
            .distinct()
            .count()
        == 1;
  }

  /**
   * Checks a field of a version.
   *
   * @param known schemas that have been found to be good
   */
  private void part(String path, String field, Map<String, Object> version, Set<Object> known) {
    switch (field) {
      case "schema" -> {
        if (schema(version) instanceof Map<?, ?> schema && known.add(schema)) {
          String place = path.equals("spec") ? "spec.validation" : path + ".schema";
          errors.addAll(
              StructuralSchemaValidator.check(
                  place + ".openAPIV3Schema", Trees.mapOrEmpty(schema)));
        }
      }
      case "subresources" -> VersionValidator.subresources(path, version, errors);
      case "additionalPrinterColumns" -> VersionValidator.columns(path, version, errors);
      default ->
          VersionValidator.selectable(
              path + "." + field,
              Trees.listOrEmpty(version.get(field)),
              Trees.mapOrEmpty(schema(version)),
              errors);
    }
  }

  private void versions(Set<Object> known) {
    for (int index = 0; index < versions.size(); index++) {
      Map<String, Object> version = Trees.mapOrEmpty(versions.get(index));
      String here = "spec.versions[" + index + "]";
      NamesValidator.label(here + ".name", Trees.text(version, "name"), errors);
      VersionValidator.deprecation(here, version, errors);
      VERSIONED.stream()
          .filter(field -> !isShared(field))
          .forEach(field -> part(here, field, version, known));
    }
    VersionValidator.together(versions, errors);
    String first = versions.isEmpty() ? "" : Trees.text(versions.getFirst(), "name");
    if (!first.isEmpty()) {
      NamesValidator.label("spec.version", first, errors);
    }
  }

  private void conversion() {
    String strategy = text("conversion", "strategy");
    String path = "spec.conversion";
    Object webhook = Trees.at(spec, "conversion", "webhook");
    Object config = Trees.at(webhook, "clientConfig");
    List<String> reviews = Trees.texts(Trees.at(webhook, "conversionReviewVersions"));
    if (strategy.isEmpty()) {
      errors.required(path + ".strategy", "");
    } else if (!strategy.equals("None") && !strategy.equals("Webhook")) {
      errors.notSupported(path + ".strategy", strategy, List.of("None", "Webhook"));
    }
    if (strategy.equals("Webhook")) {
      if (config == null) {
        errors.required(path + ".webhookClientConfig", "required when strategy is set to Webhook");
      } else {
        WebhookAddress.check(config, path + ".webhookClientConfig", errors);
      }
      WebhookAddress.reviewVersions(reviews, path + ".conversionReviewVersions", errors, "");
      return;
    }
    String unset = "should not be set when strategy is not set to Webhook";
    if (config != null) {
      errors.forbidden(path + ".webhookClientConfig", unset);
    }
    if (!reviews.isEmpty()) {
      errors.forbidden(path + ".conversionReviewVersions", unset);
    }
  }

  private static String caBundle(@Nullable Object spec) {
    return Trees.text(spec, "conversion", "webhook", "clientConfig", "caBundle");
  }

  /** What held no certificate before need not hold one now. */
  private void authorities(String before) {
    String given = caBundle(spec);
    if (!given.isEmpty()
        && !TrustedAuthorities.areIn(given)
        && (before.isEmpty() || TrustedAuthorities.areIn(before))) {
      errors.invalid(
          "spec.conversion.webhookClientConfig.caBundle",
          given,
          "unable to load root certificates: unable to parse bytes as PEM block");
    }
  }

  private void storedVersions(KubeObject definition) {
    List<Object> stored = definition.list("status", "storedVersions");
    if (stored.isEmpty()) {
      errors.invalid("status.storedVersions", null, "must have at least one stored version");
      return;
    }
    for (Object version : versions) {
      Object name = Trees.at(version, "name");
      if (Boolean.TRUE.equals(Trees.at(version, "storage")) && !stored.contains(name)) {
        errors.invalid("status.storedVersions", stored, "must have the storage version " + name);
      }
    }
    List<Object> named = versions.stream().map(version -> Trees.at(version, "name")).toList();
    for (int index = 0; index < stored.size(); index++) {
      if (!named.contains(stored.get(index))) {
        String version = stored.get(index).toString();
        errors.invalid(
            "status.storedVersions[" + index + "]",
            version,
            ("missing from spec.versions; %1$s was previously a storage version, and must"
                    + " remain in spec.versions until a storage migration ensures no data"
                    + " remains persisted in %1$s and removes %1$s from status.storedVersions")
                .formatted(version));
      }
    }
  }

  private void immutable(KubeObject current, String... path) {
    Object before = Trees.at(current.at("spec"), path);
    Object after = Objects.requireNonNullElse(Trees.at(spec, path), "");
    if (!Objects.equals(before, after)) {
      errors.invalid("spec." + String.join(".", path), after, "field is immutable");
    }
  }

  private String text(String... path) {
    return Trees.text(spec, path);
  }
}
