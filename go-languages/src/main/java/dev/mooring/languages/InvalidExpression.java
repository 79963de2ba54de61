package dev.mooring.languages;

/**
 * A text that can never work, found when it is compiled. The message says what is wrong with it.
 */
public final class InvalidExpression extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidExpression(String message) {
    super(message, null, false, false);
  }
}
