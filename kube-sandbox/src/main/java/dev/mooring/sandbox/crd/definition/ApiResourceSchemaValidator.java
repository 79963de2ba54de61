package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What kcp asks of an APIResourceSchema beyond its own schema: its name, and what Kubernetes asks
 * of a CustomResourceDefinition (kcp {@code pkg/admission/apiresourceschema/validation.go}).
 */
public final class ApiResourceSchemaValidator {
  private static final String PREFIX_RULE = "^[a-z]([-a-z0-9]*[a-z0-9])?$";
  private static final Pattern PREFIX = Pattern.compile(PREFIX_RULE);

  private final KubeObject schema;
  private final FieldErrors errors = new FieldErrors();

  private ApiResourceSchemaValidator(KubeObject schema) {
    this.schema = schema;
  }

  /** Violations in kcp's order; empty if there is none. */
  public static List<FieldError> onCreate(KubeObject schema) {
    return List.copyOf(new ApiResourceSchemaValidator(schema).checked());
  }

  /** As {@link #onCreate}, for a change: labels and annotations may change, the spec may not. */
  public static List<FieldError> onUpdate(KubeObject before, KubeObject after) {
    FieldErrors errors = new ApiResourceSchemaValidator(after).checked();
    if (!before.map("spec").equals(after.map("spec"))) {
      errors.add(FieldError.invalidOmitted("spec", "is immutable"));
    }
    return List.copyOf(errors);
  }

  private FieldErrors checked() {
    name();
    ApiApproval.check(schema, errors);
    group(schema.text("spec", "group"));
    versions(schema.list("spec", "versions"));
    NamesValidator.check(schema.map("spec", "names"), errors);
    return errors;
  }

  private void name() {
    String plural = schema.text("spec", "names", "plural");
    if (plural.isEmpty()) {
      return;
    }
    String group = schema.text("spec", "group");
    String suffix = "." + plural + "." + (group.isEmpty() ? "core" : group);
    String name = schema.name();
    if (!name.endsWith(suffix)) {
      errors.invalid("metadata.name", name, "must end in " + suffix);
    } else if (!PREFIX.matcher(name.substring(0, name.length() - suffix.length())).matches()) {
      errors.invalid("metadata.name", name, "must match " + PREFIX_RULE + " in front of " + suffix);
    }
  }

  private void group(String group) {
    if (group.equals("core")) {
      errors.invalid("spec.group", group, "must be empty string for the core group");
    } else {
      NamesValidator.group(group, errors);
    }
  }

  private void versions(List<Object> versions) {
    for (int index = 0; index < versions.size(); index++) {
      Map<String, Object> version = Trees.mapOrEmpty(versions.get(index));
      String path = "spec.versions[" + index + "]";
      NamesValidator.label(path + ".name", Trees.text(version, "name"), errors);
      VersionValidator.deprecation(path, version, errors);
      schema(path + ".schema", version);
      VersionValidator.subresources(path, version, errors);
      VersionValidator.columns(path, version, errors);
    }
    VersionValidator.together(versions, errors);
  }

  private void schema(String path, Map<String, Object> version) {
    Map<String, Object> content = Trees.map(version, "schema");
    if (version.get("schema") == null) {
      errors.required(path, "");
    } else {
      String here = path + ".openAPIV3Schema";
      Object type = content.get("type");
      boolean hasStatus = Trees.at(version, "subresources", "status") != null;
      if (hasStatus && type instanceof String text && !text.equals("object")) {
        errors.invalid(
            here + ".type",
            text,
            "only \"object\" is allowed as the type at the root of the schema if the status"
                + " subresource is enabled");
      }
      errors.addAll(StructuralSchemaValidator.check(here, content));
    }
  }
}
