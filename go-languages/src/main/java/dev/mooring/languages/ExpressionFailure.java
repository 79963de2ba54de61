package dev.mooring.languages;

/**
 * An expression that has no result for these values. The message names what was asked for, such as
 * a field, and never a value: those may be a Secret's.
 */
public final class ExpressionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ExpressionFailure(String message) {
    super(message, null, false, false);
  }
}
