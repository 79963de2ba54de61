package dev.mooring.sandbox.patch;

/** A patch that cannot be applied. */
public final class PatchFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whose fault it is. */
  public enum Cause {
    /** The patch is no patch at all. */
    MALFORMED,
    /** The patch does not fit the object. */
    UNFIT,
    /** An operation {@code test} of the patch failed. */
    TEST_FAILED,
    /** Kubernetes has no other word for it than an internal error. */
    UNEXPECTED
  }

  private final Cause reason;

  public PatchFailure(Cause reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Cause reason() {
    return reason;
  }
}
