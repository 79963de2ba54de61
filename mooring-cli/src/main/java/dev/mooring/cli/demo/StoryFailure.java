package dev.mooring.cli.demo;

/** A check of the story that did not hold; the message says which and what was seen instead. */
public final class StoryFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoryFailure(String message) {
    super(message);
  }

  /** Fails unless it holds. */
  static void unless(boolean holds, String message) {
    if (!holds) {
      throw new StoryFailure(message);
    }
  }
}
