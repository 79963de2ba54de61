package dev.mooring.syncagent.published;

/**
 * A PublishedResource that cannot work as it stands. The message says which field and why, for the
 * condition {@code Accepted}.
 */
public final class InvalidPublishedResource extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Reasons of the condition {@code Accepted=False}. */
  public enum Reason {
    INVALID_SPEC("InvalidSpec"),
    INVALID_TEMPLATE("InvalidTemplate"),
    INVALID_MUTATION("InvalidMutation"),
    NOT_SUPPORTED("NotSupported"),
    VERSION_NOT_SERVED("VersionNotServed");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** As it stands in the condition. */
    public String text() {
      return text;
    }
  }

  private final Reason reason;

  public InvalidPublishedResource(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  static InvalidPublishedResource spec(String message) {
    return new InvalidPublishedResource(Reason.INVALID_SPEC, message);
  }

  /**
   * @param known the values that there are
   */
  static InvalidPublishedResource unknown(String field, String text, String known) {
    return spec(field + ": unknown value \"" + text + "\"; use " + known);
  }

  public Reason reason() {
    return reason;
  }
}
