package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.crd.resource.JsonPath;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether a version's subresources and printer columns can be served. */
final class VersionValidator {
  private static final List<String> COLUMN_TYPES =
      List.of("boolean", "date", "integer", "number", "string");
  private static final String COLUMN_TYPE_RULE = "must be one of " + String.join(",", COLUMN_TYPES);

  private static final List<String> COLUMN_FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");
  private static final int WARNING_MAX = 256;

  private VersionValidator() {}

  static void deprecation(String path, Map<String, Object> version, List<FieldError> errors) {
    if (!(version.get("deprecationWarning") instanceof String warning)) {
      return;
    }
    String field = path + ".deprecationWarning";
    if (!Boolean.TRUE.equals(version.get("deprecated"))) {
      errors.add(FieldError.invalid(field, warning, "can only be set for deprecated versions"));
    } else if (warning.isEmpty()) {
      errors.add(FieldError.invalid(field, warning, "must not be an empty string"));
    } else if (warning.length() > WARNING_MAX) {
      errors.add(
          FieldError.invalid(field, warning, "must be <= " + WARNING_MAX + " characters long"));
    }
  }

  static void check(String path, Map<String, Object> version, List<FieldError> errors) {
    if (Trees.at(version, "subresources", "scale") instanceof Map<?, ?> scale) {
      scale(path + ".subresources.scale", Trees.mapOrEmpty(scale), errors);
    }
    List<Object> columns = Trees.listOrEmpty(version.get("additionalPrinterColumns"));
    for (int index = 0; index < columns.size(); index++) {
      column(
          path + ".additionalPrinterColumns[" + index + "]",
          Trees.mapOrEmpty(columns.get(index)),
          errors);
    }
  }

  private static void scale(String path, Map<String, Object> scale, List<FieldError> errors) {
    below(path + ".specReplicasPath", scale.get("specReplicasPath"), ".spec.", errors);
    below(path + ".statusReplicasPath", scale.get("statusReplicasPath"), ".status.", errors);
  }

  private static void below(
      String field, @Nullable Object path, String root, List<FieldError> errors) {
    String text = Trees.textOrEmpty(path);
    if (text.isEmpty()) {
      errors.add(FieldError.required(field, ""));
    } else if (!text.startsWith(root)) {
      errors.add(
          FieldError.invalid(
              field,
              text,
              text.startsWith(".")
                  ? "should be a json path under " + root.substring(0, root.length() - 1)
                  : "must be a simple json path starting with ."));
    }
  }

  private static void column(String path, Map<String, Object> column, List<FieldError> errors) {
    if (Trees.textOrEmpty(column.get("name")).isEmpty()) {
      errors.add(FieldError.required(path + ".name", ""));
    }
    String type = Trees.textOrEmpty(column.get("type"));
    if (type.isEmpty()) {
      errors.add(FieldError.required(path + ".type", COLUMN_TYPE_RULE));
    } else if (!COLUMN_TYPES.contains(type)) {
      errors.add(FieldError.invalid(path + ".type", type, COLUMN_TYPE_RULE));
    }
    String format = Trees.textOrEmpty(column.get("format"));
    if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
      errors.add(
          FieldError.invalid(
              path + ".format", format, "must be one of " + String.join(",", COLUMN_FORMATS)));
    }
    String jsonPath = Trees.textOrEmpty(column.get("jsonPath"));
    if (jsonPath.isEmpty()) {
      errors.add(FieldError.required(path + ".JSONPath", ""));
    } else if (!jsonPath.startsWith(".")) {
      errors.add(
          FieldError.invalid(
              path + ".JSONPath", jsonPath, "must be a simple json path starting with ."));
    } else if (!JsonPath.parsable(jsonPath)) {
      errors.add(
          FieldError.invalid(
              path + ".JSONPath", jsonPath, "must be a json path in the dot notation"));
    }
  }
}
