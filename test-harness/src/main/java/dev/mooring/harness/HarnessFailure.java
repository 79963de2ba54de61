package dev.mooring.harness;

import org.jspecify.annotations.Nullable;

/**
 * Something that a person has to put right before the suite can run: the message says what happened
 * and what to do, in words that can be shown as they are.
 */
public final class HarnessFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public HarnessFailure(String message) {
    super(message);
  }

  public HarnessFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public static void unless(boolean holds, String message) {
    if (!holds) {
      throw new HarnessFailure(message);
    }
  }
}
