package dev.mooring.syncagent.content;

/**
 * A source too large for its state to be kept: it could not be kept in step without overwriting.
 */
public final class StateTooLarge extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param bytes that the state takes where it was to be kept
   */
  public StateTooLarge(int bytes, int most) {
    super(
        ("This object is too large to be kept in step: what has to be remembered of it"
                + " takes %s bytes, %s are possible. Nothing was changed; make the object smaller.")
            .formatted(bytes, most));
  }
}
