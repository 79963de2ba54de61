package dev.mooring.sandbox.api.validation;

import dev.mooring.languages.template.text.GoQuotes;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One complaint about one field, as Kubernetes words it.
 *
 * @param reason the cause's machine-readable reason, such as {@code FieldValueInvalid}
 * @param field such as {@code spec.parts[0].name}
 * @param message as it stands in the cause, such as {@code Invalid value: 5: too big}
 */
public record FieldError(String reason, String field, String message) {
  /** Where Kubernetes names no field. */
  public static final String NO_FIELD = "<nil>";

  /** Reasons that make further rules about the object pointless. */
  private static final Set<String> BLOCKING =
      Set.of(
          "FieldValueNotSupported",
          "FieldValueRequired",
          "FieldValueTooLong",
          "FieldValueTooMany",
          "FieldValueTypeInvalid");

  public static FieldError required(String field, String detail) {
    return new FieldError("FieldValueRequired", field, join("Required value", detail));
  }

  public static FieldError invalid(String field, @Nullable Object value, String detail) {
    return new FieldError(
        "FieldValueInvalid", field, join("Invalid value: " + render(value), detail));
  }

  /** A wrong value that is not shown. */
  public static FieldError invalidOmitted(String field, String detail) {
    return new FieldError("FieldValueInvalid", field, join("Invalid value", detail));
  }

  public static FieldError forbidden(String field, String detail) {
    return new FieldError("FieldValueForbidden", field, join("Forbidden", detail));
  }

  public static FieldError duplicate(String field, @Nullable Object value) {
    return new FieldError("FieldValueDuplicate", field, "Duplicate value: " + render(value));
  }

  public static FieldError duplicateOmitted(String field) {
    return new FieldError("FieldValueDuplicate", field, "Duplicate value");
  }

  /** Says bytes, as Kubernetes does, although code points are counted. */
  public static FieldError tooLong(String field, long max) {
    return new FieldError(
        "FieldValueTooLong",
        field,
        "Too long: may not be more than " + max + (max == 1 ? " byte" : " bytes"));
  }

  public static FieldError tooMany(String field, long actual, long max) {
    return new FieldError(
        "FieldValueTooMany",
        field,
        "Too many: " + actual + ": must have at most " + max + (max == 1 ? " item" : " items"));
  }

  /** The supported values are listed in the order given. */
  public static FieldError notSupported(
      String field, @Nullable Object value, List<String> supported) {
    return new FieldError(
        "FieldValueNotSupported",
        field,
        "Unsupported value: %s: supported values: %s"
            .formatted(
                render(value),
                String.join(", ", supported.stream().map(GoQuotes::quote).toList())));
  }

  public static FieldError typeInvalid(String field, @Nullable Object value, String detail) {
    return new FieldError(
        "FieldValueTypeInvalid", field, join("Invalid value: " + render(value), detail));
  }

  /** Whether rules (CEL) are no longer asked about an object with this error. */
  public boolean blocksRules() {
    return BLOCKING.contains(reason);
  }

  /** {@code field: message}. */
  @Override
  public String toString() {
    return field + ": " + message;
  }

  private static String join(String start, String detail) {
    return detail.isEmpty() ? start : start + ": " + detail;
  }

  private static String render(@Nullable Object value) {
    return switch (value) {
      case Double number -> GoText.number(number);
      case String text -> GoQuotes.quote(text);
      case null, default -> GoText.json(value);
    };
  }
}
