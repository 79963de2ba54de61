package dev.mooring.sandbox.schema;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * One reason why an object is invalid: what is wrong with which field. Texts are those of
 * Kubernetes, byte for byte (apimachinery {@code pkg/util/validation/field/errors.go}).
 *
 * @param field as people write it, {@code spec.parts[1].name}; {@value #NO_FIELD} where Kubernetes
 *     names none
 * @param value the offending value as a tree, or {@link #OMITTED} to leave it out of the message
 * @param detail what would be right; may be empty
 */
public record FieldError(Kind kind, String field, Object value, String detail) {
  /** A value that is not shown. */
  public static final Object OMITTED = Omitted.VALUE;

  public static final String NO_FIELD = "<nil>";

  public FieldError {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(field, "field");
    Objects.requireNonNull(detail, "detail");
  }

  public static FieldError required(String field, String detail) {
    return new FieldError(Kind.REQUIRED, field, OMITTED, detail);
  }

  public static FieldError invalid(String field, Object value, String detail) {
    return new FieldError(Kind.INVALID, field, value, detail);
  }

  public static FieldError typeInvalid(String field, Object value, String detail) {
    return new FieldError(Kind.TYPE_INVALID, field, value, detail);
  }

  public static FieldError duplicate(String field, Object value) {
    return new FieldError(Kind.DUPLICATE, field, value, "");
  }

  public static FieldError forbidden(String field, String detail) {
    return new FieldError(Kind.FORBIDDEN, field, OMITTED, detail);
  }

  public static FieldError notSupported(String field, Object value, List<String> supported) {
    String detail =
        supported.isEmpty()
            ? ""
            : "supported values: "
                + supported.stream().map(GoText::quoted).collect(Collectors.joining(", "));
    return new FieldError(Kind.NOT_SUPPORTED, field, value, detail);
  }

  /** Says bytes, as Kubernetes does, although code points were counted. */
  public static FieldError tooLong(String field, long max) {
    return new FieldError(
        Kind.TOO_LONG,
        field,
        OMITTED,
        "may not be more than " + max + (max == 1 ? " byte" : " bytes"));
  }

  public static FieldError tooMany(String field, long actual, long max) {
    return new FieldError(
        Kind.TOO_MANY, field, actual, "must have at most " + max + (max == 1 ? " item" : " items"));
  }

  /** The message of a cause: everything but the field. */
  public String body() {
    String shown = value == OMITTED ? kind.text : kind.text + ": " + render(value);
    return detail.isEmpty() ? shown : shown + ": " + detail;
  }

  /** The {@code reason} of a cause. */
  public String reason() {
    return kind.reason;
  }

  @Override
  public String toString() {
    return field + ": " + body();
  }

  private static String render(Object value) {
    return switch (value) {
      case Double number -> GoText.number(number);
      case String text -> GoText.quoted(text);
      case null, default -> GoText.json(value);
    };
  }

  /** What is wrong, with Kubernetes' text and machine-readable reason. */
  public enum Kind {
    REQUIRED("Required value", "FieldValueRequired"),
    INVALID("Invalid value", "FieldValueInvalid"),
    TYPE_INVALID("Invalid value", "FieldValueTypeInvalid"),
    NOT_SUPPORTED("Unsupported value", "FieldValueNotSupported"),
    DUPLICATE("Duplicate value", "FieldValueDuplicate"),
    FORBIDDEN("Forbidden", "FieldValueForbidden"),
    TOO_LONG("Too long", "FieldValueTooLong"),
    TOO_MANY("Too many", "FieldValueTooMany");

    private final String text;
    private final String reason;

    Kind(String text, String reason) {
      this.text = text;
      this.reason = reason;
    }
  }

  private enum Omitted {
    VALUE
  }
}
