package dev.mooring.sandbox.schema.model;

/** One entry of {@code x-kubernetes-validations} as written. Absent texts are empty. */
public record RuleSource(
    String rule,
    String message,
    String messageExpression,
    Reason reason,
    String fieldPath,
    OldSelf oldSelf) {

  /** What kind of error a violation is. */
  public enum Reason {
    INVALID,
    FORBIDDEN,
    REQUIRED,
    DUPLICATE
  }

  /** What {@code oldSelf} is: {@code optionalOldSelf}. */
  public enum OldSelf {
    /** A value; rules that use it are not evaluated where there is none, as on creation. */
    VALUE,
    /** A CEL optional; the rule is always evaluated. */
    OPTIONAL
  }

  /** How errors cite the rule. */
  public String cited() {
    return (message.isEmpty() ? rule : message).strip();
  }
}
