package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a version's subresources and printer columns can be served. */
final class VersionValidator {
  private static final List<String> COLUMN_TYPES =
      List.of("boolean", "date", "integer", "number", "string");
  private static final String COLUMN_TYPE_RULE = "must be one of " + String.join(",", COLUMN_TYPES);

  private static final List<String> COLUMN_FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");
  private static final int WARNING_MAX = 256;
  private static final String SIMPLE = "must be a simple json path starting with .";
  private static final Set<String> SELECTABLE = Set.of("string", "boolean", "integer");
  private static final int SELECTABLE_MAX = 8;

  private VersionValidator() {}

  static void deprecation(String path, Map<String, Object> version, FieldErrors errors) {
    if (!(version.get("deprecationWarning") instanceof String warning)) {
      return;
    }
    String field = path + ".deprecationWarning";
    if (!Boolean.TRUE.equals(version.get("deprecated"))) {
      errors.invalid(field, warning, "can only be set for deprecated versions");
      return;
    }
    if (warning.length() > WARNING_MAX) {
      errors.invalid(field, warning, "must be <= " + WARNING_MAX + " characters long");
    }
    if (warning.isEmpty()) {
      errors.invalid(field, warning, "must not be an empty string");
    }
    if (warning.chars().anyMatch(Character::isISOControl)) {
      errors.invalid(field, warning, "must only contain printable UTF-8 characters");
    }
  }

  /** Whether the versions have names of their own, and one is that of the store. */
  static void together(List<Object> versions, FieldErrors errors) {
    long names = versions.stream().map(version -> Trees.text(version, "name")).distinct().count();
    if (names != versions.size()) {
      errors.add(FieldError.invalidOmitted("spec.versions", "must contain unique version names"));
    }
    long stored =
        versions.stream()
            .filter(version -> Boolean.TRUE.equals(Trees.at(version, "storage")))
            .count();
    if (stored != 1) {
      errors.add(
          FieldError.invalidOmitted(
              "spec.versions", "must have exactly one version marked as storage version"));
    }
  }

  static void subresources(String path, Map<String, Object> version, FieldErrors errors) {
    if (Trees.at(version, "subresources", "scale") instanceof Map<?, ?> scale) {
      scale(path + ".subresources.scale", Trees.mapOrEmpty(scale), errors);
    }
  }

  static void columns(String path, Map<String, Object> version, FieldErrors errors) {
    List<Object> columns = Trees.list(version, "additionalPrinterColumns");
    for (int index = 0; index < columns.size(); index++) {
      column(
          path + ".additionalPrinterColumns[" + index + "]",
          Trees.mapOrEmpty(columns.get(index)),
          errors);
    }
  }

  /** Fields that selectors may name have to be there, and scalars. */
  static void selectable(
      String path, List<Object> fields, Map<String, Object> schema, FieldErrors errors) {
    Set<String> once = new HashSet<>();
    for (int index = 0; index < fields.size(); index++) {
      String here = path + "[" + index + "].jsonPath";
      String jsonPath = Trees.text(fields.get(index), "jsonPath");
      if (jsonPath.isEmpty()) {
        errors.required(here, "");
        continue;
      }
      Optional<FieldPaths.Found> found = FieldPaths.follow(jsonPath, schema, false);
      if (found.isEmpty()) {
        errors.invalid(here, jsonPath, "is an invalid path: does not refer to a valid field");
        continue;
      }
      String spelled = found.get().path();
      if (spelled.startsWith(".metadata")) {
        errors.invalid(here, jsonPath, "must not point to fields in metadata");
      }
      if (!SELECTABLE.contains(Trees.text(found.get().schema(), "type"))) {
        errors.invalid(
            here,
            jsonPath,
            "must point to a field of type string, boolean or integer. Enum string fields"
                + " and strings with formats are allowed.");
      }
      if (!once.add(spelled)) {
        errors.duplicate(here, jsonPath);
      }
    }
    if (once.size() > SELECTABLE_MAX) {
      errors.add(FieldError.tooMany(path, once.size(), SELECTABLE_MAX));
    }
  }

  private static void scale(String path, Map<String, Object> scale, FieldErrors errors) {
    below(path + ".specReplicasPath", scale.get("specReplicasPath"), ".spec.", errors);
    below(path + ".statusReplicasPath", scale.get("statusReplicasPath"), ".status.", errors);
    String selector = Trees.text(scale, "labelSelectorPath");
    String field = path + ".labelSelectorPath";
    if (!selector.isEmpty() && !selector.startsWith(".")) {
      errors.invalid(field, selector, SIMPLE);
    } else if (!selector.isEmpty()
        && !selector.startsWith(".spec.")
        && !selector.startsWith(".status.")) {
      errors.invalid(field, selector, "should be a json path under either .spec or .status");
    }
  }

  private static void below(String field, @Nullable Object path, String root, FieldErrors errors) {
    String text = Trees.textOrEmpty(path);
    if (text.isEmpty()) {
      errors.required(field, "");
    } else if (!text.startsWith(root)) {
      errors.invalid(
          field,
          text,
          text.startsWith(".")
              ? "should be a json path under " + root.substring(0, root.length() - 1)
              : SIMPLE);
    }
  }

  private static void column(String path, Map<String, Object> column, FieldErrors errors) {
    if (Trees.text(column, "name").isEmpty()) {
      errors.required(path + ".name", "");
    }
    String type = Trees.text(column, "type");
    if (type.isEmpty()) {
      errors.required(path + ".type", COLUMN_TYPE_RULE);
    } else if (!COLUMN_TYPES.contains(type)) {
      errors.invalid(path + ".type", type, COLUMN_TYPE_RULE);
    }
    String format = Trees.text(column, "format");
    if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
      errors.invalid(
          path + ".format", format, "must be one of " + String.join(",", COLUMN_FORMATS));
    }
    String jsonPath = Trees.text(column, "jsonPath");
    if (jsonPath.isEmpty()) {
      errors.required(path + ".JSONPath", "");
    } else if (!jsonPath.startsWith(".")) {
      errors.invalid(path + ".JSONPath", jsonPath, SIMPLE);
    }
  }
}
