package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/** What holds for the contents of ConfigMaps and Secrets alike. */
final class DataKeyValidator {
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");
  private static final int KEY_MAX = 253;
  private static final int CONTENT_MAX = 1024 * 1024;

  private DataKeyValidator() {}

  static List<FieldError> keys(KubeObject object, String field) {
    var errors = new FieldErrors();
    for (String key : object.map(field).keySet()) {
      String path = field + "[" + key + "]";
      if (key.length() > KEY_MAX) {
        errors.invalid(path, key, "must be no more than 253 characters");
      }
      if (!KEY.matcher(key).matches()) {
        errors.invalid(
            path,
            key,
            "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
                + " 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is"
                + " '[-._a-zA-Z0-9]+')");
      }
      // Keys become the names of files where a volume shows them.
      if (key.equals(".") || key.equals("..")) {
        errors.invalid(path, key, "must not be '" + key + "'");
      } else if (key.startsWith("..")) {
        errors.invalid(path, key, "must not start with '..'");
      }
    }
    return errors;
  }

  /**
   * Whether the values together are within Kubernetes' limit.
   *
   * @param field that the error names
   */
  static List<FieldError> size(String field, long bytes) {
    return bytes > CONTENT_MAX ? List.of(FieldError.tooLong(field, CONTENT_MAX)) : List.of();
  }

  /** Of the decoded values. */
  static long base64Bytes(KubeObject object, String field) {
    return object.map(field).values().stream()
        .map(Trees::textOrEmpty)
        .mapToLong(
            text -> text.length() / 4L * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0))
        .sum();
  }

  static List<FieldError> immutable(KubeObject updated, KubeObject current, List<String> fields) {
    if (!Boolean.TRUE.equals(current.at("immutable"))) {
      return List.of();
    }
    var errors = new FieldErrors();
    String why = "field is immutable when `immutable` is set";
    if (!Boolean.TRUE.equals(updated.at("immutable"))) {
      errors.forbidden("immutable", why);
    }
    for (String field : fields) {
      if (!Objects.equals(updated.at(field), current.at(field))) {
        errors.forbidden(field, why);
      }
    }
    return errors;
  }
}
