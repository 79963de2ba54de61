package dev.mooring.cli.check;

/** Something does not hold; the message says what was found instead. */
public final class CheckFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CheckFailure(String message) {
    super(message);
  }

  static void unless(boolean holds, String message) {
    if (!holds) {
      throw new CheckFailure(message);
    }
  }
}
