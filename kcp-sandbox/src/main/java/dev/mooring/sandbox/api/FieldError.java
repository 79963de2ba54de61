package dev.mooring.sandbox.api;

import dev.mooring.model.json.KubeJson;
import java.util.List;

/**
 * One complaint about one field, as Kubernetes words it.
 *
 * @param reason the cause's machine-readable reason, such as {@code FieldValueInvalid}
 * @param field such as {@code spec.parts[0].name}
 * @param message as it stands in the cause, such as {@code Invalid value: 5: too big}
 */
public record FieldError(String reason, String field, String message) {
  public static FieldError required(String field, String detail) {
    return new FieldError("FieldValueRequired", field, join("Required value", detail));
  }

  public static FieldError invalid(String field, Object value, String detail) {
    return new FieldError(
        "FieldValueInvalid", field, join("Invalid value: " + render(value), detail));
  }

  public static FieldError forbidden(String field, String detail) {
    return new FieldError("FieldValueForbidden", field, join("Forbidden", detail));
  }

  public static FieldError duplicate(String field, Object value) {
    return new FieldError("FieldValueDuplicate", field, "Duplicate value: " + render(value));
  }

  public static FieldError notFound(String field, Object value) {
    return new FieldError("FieldValueNotFound", field, "Not found: " + render(value));
  }

  /** The supported values are listed in the order given. */
  public static FieldError notSupported(String field, Object value, List<String> supported) {
    return new FieldError(
        "FieldValueNotSupported",
        field,
        "Unsupported value: "
            + render(value)
            + ": supported values: "
            + String.join(", ", supported.stream().map(FieldError::render).toList()));
  }

  public static FieldError typeInvalid(String field, Object value, String detail) {
    return new FieldError(
        "FieldValueTypeInvalid", field, join("Invalid value: " + render(value), detail));
  }

  /** {@code field: message}. */
  @Override
  public String toString() {
    return field + ": " + message;
  }

  private static String join(String start, String detail) {
    return detail.isEmpty() ? start : start + ": " + detail;
  }

  private static String render(Object value) {
    return KubeJson.writeText(value);
  }
}
