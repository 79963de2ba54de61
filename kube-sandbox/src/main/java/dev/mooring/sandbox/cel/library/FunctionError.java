package dev.mooring.sandbox.cel.library;

/** A function that has no result for its arguments. */
public final class FunctionError extends RuntimeException {
  private static final long serialVersionUID = 1;

  FunctionError(String message) {
    super(message, null, false, false);
  }
}
